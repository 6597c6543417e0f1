/**
 * Cards: exactly docs/api.md 2.6 on /card, one that every generation reads, and the strict one of 1.0 as the official
 * client reads it.
 */
import { expect } from 'chai';
import { AgentCard } from 'a2a-sdk-1';
import { DefaultAgentCardResolver } from 'a2a-sdk-1/client';
import { isLegacyAgentCard } from 'a2a-sdk-1/compat/v0_3/client';
import { etagOf as etag } from '../../../gateway/http/etag.js';
import { extendedCard, specCard, strictCard, supersetCard } from '../../../src/a2a/card.js';

const agent = { name: 'Ada', description: 'Keeps notes.', updated_at: '2026-11-21T12:00:00.123Z' };
const url = 'https://hive.test/api/v1/a2a/agents/agent_1';
const version = '1.0.0+20261121T120000123Z';

describe('a2a: agent cards', () => {
  it('the spec card has the fields of docs/api.md 2.6 and no other', () => {
    expect(specCard(agent, url)).to.deep.equal({
      protocolVersion: '0.2',
      name: 'Ada',
      description: 'Keeps notes.',
      url,
      version,
      capabilities: { streaming: true, pushNotifications: true, stateTransitionHistory: false },
      defaultInputModes: ['text/plain'],
      defaultOutputModes: ['text/plain'],
      securitySchemes: { bearer: { type: 'http', scheme: 'bearer' } },
      security: [{ bearer: [] }],
      skills: [
        { id: 'execute-task', name: 'Ada: execute task', description: 'Keeps notes.', tags: ['task', 'memory'] },
      ],
    });
  });

  it('cards of the well-known paths say how the agent is reached, and what to say to it', () => {
    for (const card of [supersetCard(agent, url), strictCard(agent, url)]) {
      const { securitySchemes, skills } = card as {
        securitySchemes: { bearer: { httpAuthSecurityScheme: { description: string } } };
        skills: { examples: string[]; inputModes: string[] }[];
      };
      expect(securitySchemes.bearer.httpAuthSecurityScheme.description).to.contain('at_').and.contain('svc_');
      expect(skills[0]?.examples).to.include('When is the launch?');
      expect(skills[0]?.inputModes).to.include('text/plain');
    }
  });

  it('cards say which files the agent takes: those that its model reads, and none with the built-in reasoner', () => {
    const modes = (config: object): unknown[] =>
      [specCard, supersetCard, strictCard].map((make) =>
        (make({ ...agent, config }, url) as { defaultInputModes: string[] }).defaultInputModes.filter((mode) =>
          /^image|pdf/.test(mode),
        ),
      );
    const images = ['image/png', 'image/jpeg', 'image/gif', 'image/webp'];
    expect(modes({ model: 'openai/a' })).to.deep.equal([images, images, images]);
    expect(modes({ accepts: images })).to.deep.equal([[], [], []]);
    expect(modes({ model: 'openai/a', accepts: ['application/pdf'] })[0]).to.deep.equal(['application/pdf']);
  });

  it('cards say that an agent answers in JSON, too, if it answers by a schema', () => {
    const config = { output_schema: { type: 'object' as const } };
    for (const make of [specCard, supersetCard, strictCard]) {
      const card = make({ ...agent, config }, url) as {
        defaultOutputModes: string[];
        skills: { outputModes?: string[] }[];
      };
      expect(card.defaultOutputModes).to.deep.equal(['text/plain', 'application/json']);
      if (make !== specCard) expect(card.skills[0]?.outputModes).to.deep.equal(['text/plain', 'application/json']);
    }
  });

  it('the strict card of 1.0 is what the official client makes of it: no field is unknown to it, none gets lost', async () => {
    const card = JSON.parse(JSON.stringify(strictCard(agent, url))) as Record<string, unknown>;
    const known = AgentCard.toJSON(AgentCard.fromJSON(card)) as Record<string, unknown>;
    expect(known).to.deep.equal(card);
    for (const field of [
      'name',
      'description',
      'version',
      'capabilities',
      'skills',
      'supportedInterfaces',
      'defaultInputModes',
      'defaultOutputModes',
    ])
      expect(card).to.have.property(field);
    const resolved = await new DefaultAgentCardResolver({ fetchImpl: async () => Response.json(card) }).resolve(url);
    expect(resolved.supportedInterfaces[0]).to.include({ url, protocolBinding: 'JSONRPC', protocolVersion: '1.0' });
    expect(resolved.securitySchemes['bearer']?.scheme).to.deep.equal({
      $case: 'httpAuthSecurityScheme',
      value: {
        description: 'A token of this agent (at_...), or an API key of its workspace (svc_...).',
        scheme: 'Bearer',
        bearerFormat: '',
      },
    });
  });

  it('the superset has what 0.2.5, 0.3 and 1.0 require, and a client of 1.0 takes it for one of 1.0', () => {
    const card = supersetCard(agent, url);
    expect(card).to.deep.include({
      protocolVersion: '0.3.0',
      preferredTransport: 'JSONRPC',
      url,
      supportsAuthenticatedExtendedCard: true,
      security: [{ bearer: [] }],
    });
    for (const field of Object.keys(specCard(agent, url))) expect(card).to.have.property(field);
    for (const field of Object.keys(strictCard(agent, url))) expect(card).to.have.property(field);
    expect(isLegacyAgentCard(card)).to.equal(false);
    expect(isLegacyAgentCard(specCard(agent, url))).to.equal(true);
    expect(AgentCard.fromJSON(card).supportedInterfaces).to.deep.equal([
      { url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '1.0' },
      { url, protocolBinding: 'HTTP+JSON', tenant: '', protocolVersion: '1.0' },
      { url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '0.3' },
      { url, protocolBinding: 'JSONRPC', tenant: '', protocolVersion: '0.2' },
    ]);
  });

  it('says what config.card says, and 1.0 reads it', () => {
    const skills = [{ id: 'fire', name: 'Firing', description: 'Plans firings.', tags: ['kiln'], examples: ['When?'] }];
    const provider = { organization: 'Kiln & Co', url: 'https://kiln.example' };
    const [icon, documentation] = ['https://kiln.example/icon.png', 'https://kiln.example/ada'];
    const told = { ...agent, config: { card: { name: 'Kiln', provider, icon, documentation, skills } } };
    for (const card of [supersetCard(told, url), strictCard(told, url)]) {
      expect(card).to.include({ name: 'Kiln', iconUrl: icon, documentationUrl: documentation });
      expect(AgentCard.fromJSON(card)).to.deep.include({ provider, iconUrl: icon, documentationUrl: documentation });
      expect(AgentCard.fromJSON(card).skills[0]).to.deep.include(skills[0]);
    }
  });

  it('the extended card tells nobody more', () => {
    expect(extendedCard('1.0', agent, url)).to.deep.equal(strictCard(agent, url));
    for (const v of ['0.2', '0.3'] as const)
      expect(extendedCard(v, agent, url)).to.deep.equal(supersetCard(agent, url));
  });

  it('an agent without a description is described all the same', () => {
    for (const card of [specCard, supersetCard, strictCard]) {
      const { description, skills } = card({ ...agent, description: ' ' }, url) as {
        description: string;
        skills: { description: string }[];
      };
      expect([description, skills[0]?.description]).to.deep.equal([
        'Ada answers messages from what it remembers.',
        'Ada answers messages from what it remembers.',
      ]);
    }
  });

  it('the etag is strong, the same for the same bytes, and another after a change', () => {
    const of = (updated_at: string): string => etag(JSON.stringify(supersetCard({ ...agent, updated_at }, url)));
    expect(of(agent.updated_at))
      .to.match(/^"[\w-]{27}"$/)
      .and.equal(of(agent.updated_at));
    expect(of('2026-11-21T12:00:01.000Z')).to.not.equal(of(agent.updated_at));
  });
});
