/** The page of the API at /docs: Swagger UI with a search over all operations, and samples beside each of them. */
import SwaggerUI from 'swagger-ui-dist/swagger-ui-es-bundle.js';
import 'swagger-ui-dist/swagger-ui.css';
import { addExamples, samplesOf, type Document, type Sample } from './samples.js';
import './docs.css';

/** The path that a proxy adds to every URL of the service; empty without one. */
const base = new URL(import.meta.url).pathname.replace(/\/docs\/assets\/.*$/, '');

const answer = await fetch(`${base}/openapi.json`);
const api = (await answer.json()) as Document;
addExamples(api);
const server = new URL(api.servers[0]?.url ?? '/', location.href).href.replace(/\/$/, '');

interface React {
  createElement: (type: unknown, props: object | null, ...children: unknown[]) => unknown;
  useState: <T>(initial: T) => [T, (value: T) => void];
}

/** Of the immutable collections in which Swagger UI keeps a document, what is used here. */
interface Collection {
  size: number;
  get(name: string): Collection;
  getIn(path: readonly string[], otherwise: string): string;
  map(change: (item: Collection) => Collection): Collection;
  filter(keep: (item: Collection) => boolean): Collection;
  update(name: string, change: (item: Collection) => Collection): Collection;
}

/** Finds operations by any word of their path, name, summary and description; the usual filter knows tags alone. */
function search(tags: Collection, phrase: string): Collection {
  const words = phrase.toLowerCase().split(/\s+/);
  const says = (operation: Collection): boolean => {
    const text = [
      operation.getIn(['path'], ''),
      operation.getIn(['method'], ''),
      ...['operationId', 'summary', 'description'].map((name) => operation.getIn(['operation', name], '')),
    ]
      .join(' ')
      .toLowerCase();
    return words.every((word) => text.includes(word));
  };
  return tags
    .map((tag) => tag.update('operations', (operations) => operations.filter(says)))
    .filter((tag) => tag.get('operations').size > 0);
}

let language = 'curl';

function samples({ React }: { React: React }) {
  const { createElement: h, useState } = React;
  return function Samples({ of }: { of: readonly Sample[] }) {
    const [chosen, choose] = useState(language);
    const [copied, setCopied] = useState(false);
    const shown = of.find((sample) => sample.language === chosen) ?? of[0];
    if (shown === undefined) return null;
    return h(
      'div',
      { className: 'samples' },
      h(
        'div',
        { className: 'opblock-section-header' },
        h('h4', { className: 'opblock-title' }, 'Samples'),
        h(
          'div',
          { className: 'sample-tabs' },
          ...of.map((sample) =>
            h(
              'button',
              {
                key: sample.language,
                type: 'button',
                'aria-pressed': sample === shown,
                onClick: () => {
                  language = sample.language;
                  choose(sample.language);
                  setCopied(false);
                },
              },
              sample.language,
            ),
          ),
          h(
            'button',
            {
              type: 'button',
              onClick: () => {
                void navigator.clipboard.writeText(shown.text).then(() => {
                  setCopied(true);
                });
              },
            },
            copied ? 'Copied' : 'Copy',
          ),
        ),
      ),
      h('pre', { className: 'sample', tabIndex: 0 }, shown.text),
    );
  };
}

const plugin = (system: { React: React }) => {
  const { createElement: h } = system.React;
  const Samples = samples(system);
  return {
    fn: { opsFilter: search },
    wrapComponents: {
      responses: (Responses: unknown) => (props: { path: string; method: string }) =>
        h('div', null, h(Samples, { of: samplesOf(api, server, props.path, props.method) }), h(Responses, props)),
    },
  };
};

SwaggerUI({
  spec: api,
  domNode: document.getElementById('app'),
  plugins: [plugin],
  filter: true,
  deepLinking: true,
  docExpansion: 'list',
  defaultModelsExpandDepth: 0,
  displayRequestDuration: true,
  tryItOutEnabled: false,
  // a key is a secret: it stays in the memory of the page
  persistAuthorization: false,
  validatorUrl: null,
  syntaxHighlight: false,
});
