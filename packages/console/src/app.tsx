/** The frame around all pages: who is signed in, where to go, and whether the service answers. */
import type { ComponentChildren } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { connection, reach } from './lib/api.js';
import { exactTime } from './lib/format.js';
import { base, followLinks, href, place } from './lib/router.js';
import { isKept, keepInTab, session, type Session } from './lib/session.js';
import { resume, signOut } from './lib/sign-in.js';
import { useStore } from './lib/store.js';
import { AgentPage } from './pages/agent/agent.js';
import { Agents } from './pages/agents.js';
import { HivePage, Hives } from './pages/hives.js';
import { MemoriesPage } from './pages/memories.js';
import { Operations } from './pages/operations/operations.js';
import { Overview } from './pages/overview.js';
import { ComparePage } from './pages/run/compare.js';
import { RunPage } from './pages/run/run.js';
import { Runs } from './pages/runs.js';
import { SignIn } from './pages/sign-in.js';
import { Icon, Logo, type IconName } from './ui/icons.js';
import { allScopes } from './ui/mint.js';
import { Button } from './ui/button.js';
import { Dialog } from './ui/dialogs.js';
import { Check } from './ui/fields.js';
import { Badge } from './ui/labels.js';
import { PageHead } from './ui/page-head.js';
import { Empty, Skeleton } from './ui/states.js';
import { say, Toasts } from './ui/toasts.js';

export function App() {
  const now = useStore(session);
  const [starting, setStarting] = useState(true);
  const [problem, setProblem] = useState<unknown>(null);
  useEffect(() => {
    resume().then(
      () => {
        setStarting(false);
      },
      (error: unknown) => {
        setProblem(error);
        setStarting(false);
      },
    );
  }, []);
  useEffect(() => {
    document.addEventListener('click', followLinks);
    return () => {
      document.removeEventListener('click', followLinks);
    };
  }, []);
  return (
    <>
      {starting ? (
        <Skeleton />
      ) : now.key === null ? (
        <SignIn problem={now.reason === null ? problem : new Error(now.reason)} />
      ) : (
        <Frame session={now} />
      )}
      <Toasts />
    </>
  );
}

const sections: readonly (readonly [path: string, text: string, icon: IconName])[] = [
  ['', 'Overview', 'overview'],
  ['agents', 'Agents', 'agents'],
  ['runs', 'Runs', 'runs'],
  ['memories', 'Memories', 'memory'],
  ['hives', 'Hives', 'hives'],
  ['operations', 'Operate', 'operations'],
];

function Frame({ session: who }: { session: Session }) {
  const { path } = useStore(place);
  const main = useRef<HTMLElement>(null);
  const page = path.join('/');
  const first = useRef(true);
  useEffect(() => {
    if (first.current) first.current = false;
    else main.current?.focus();
  }, [page]);
  return (
    <>
      <a class="skip" href="#main">
        Skip to the content
      </a>
      <LostBanner />
      <div class="frame">
        <aside class="side" aria-label="Sections and account">
          <a class="brand" href={href()}>
            <Logo />
            <span>hivekeep</span>
          </a>
          <nav class="nav" aria-label="Sections">
            {sections.map(([section, text, icon]) => (
              <a
                key={section}
                href={section === '' ? href() : href(section)}
                aria-current={(path[0] ?? '') === section ? 'page' : undefined}
              >
                <Icon name={icon} />
                {text}
              </a>
            ))}
            <a class="docs-link" href={`${base}/docs`} target="_blank" rel="noreferrer">
              <Icon name="docs" />
              API docs
            </a>
          </nav>
          <div class="grow" />
          <div class="account">
            <Account who={who} />
          </div>
        </aside>
        <div>
          <header class="topbar">
            <Account who={who} />
          </header>
          <main class="page" id="main" tabIndex={-1} ref={main}>
            <CurrentPage path={path} />
          </main>
        </div>
      </div>
    </>
  );
}

function CurrentPage({ path }: { path: readonly string[] }): ComponentChildren {
  const [section = '', id, part, inner, verb, other] = path;
  switch (section) {
    case '':
      return <Overview />;
    case 'agents':
      if (id === undefined) return <Agents />;
      if (part === 'runs' && inner !== undefined)
        return verb === 'compare' && other !== undefined ? (
          <ComparePage agent={id} one={inner} other={other} />
        ) : (
          <RunPage agent={id} id={inner} />
        );
      return <AgentPage key={id} id={id} tab={part ?? 'chat'} />;
    case 'runs':
      return <Runs />;
    case 'memories':
      return <MemoriesPage />;
    case 'hives':
      return id === undefined ? <Hives /> : <HivePage key={id} id={id} tab={part ?? 'knowledge'} />;
    case 'operations':
      return <Operations tab={id ?? 'keys'} />;
    default:
      return <NoSuchPage />;
  }
}

const NoSuchPage = () => (
  <>
    <PageHead title="There is no such page" />
    <div class="card">
      <Empty icon="failed" title="This address leads nowhere">
        <p>
          <a href={href()}>Go to the overview</a>
        </p>
      </Empty>
    </div>
  </>
);

function Account({ who }: { who: Session }) {
  const [open, setOpen] = useState(false);
  const { me } = who;
  return (
    <>
      <div class="grow">
        <div class="row">
          <strong>{me.workspace?.name ?? me.workspace?.id ?? 'Signed in'}</strong>
          <Badge of={me.mode ?? 'live'} />
        </div>
        <div class="hint">{[me.tier ?? me.workspace?.tier, me.key?.name].filter(Boolean).join(' · ')}</div>
      </div>
      <div class="row">
        <Button
          small
          onClick={() => {
            setOpen(true);
          }}
        >
          Your key
        </Button>
        <Button
          small
          kind="quiet"
          onClick={() => {
            void signOut();
          }}
        >
          Sign out
        </Button>
      </div>
      {open && (
        <KeyDialog
          who={who}
          onClose={() => {
            setOpen(false);
          }}
        />
      )}
    </>
  );
}

function KeyDialog({ who: { me, linkKey }, onClose }: { who: Session; onClose: () => void }) {
  const [kept, setKept] = useState(isKept());
  return (
    <Dialog title="What this key may do" onClose={onClose}>
      {me.scopes === null ? (
        <p class="hint">This server does not tell the scopes of a key; what it refuses shows where you try it.</p>
      ) : (
        <ul class="scopes" aria-label="Scopes">
          {allScopes.map((scope) => {
            const has = me.scopes?.includes(scope);
            return (
              <li key={scope} class={`badge plain ${has ? 'good' : 'off'}`}>
                {scope}
                {!has && <span class="visually-hidden"> (not granted)</span>}
              </li>
            );
          })}
        </ul>
      )}
      {me.key?.expires_at && <p class="hint">It expires on {exactTime(me.key.expires_at)}.</p>}
      {linkKey !== null && <p class="hint">A sign-in link has made this key. Signing out revokes it.</p>}
      <Check
        checked={kept}
        onChange={(keep) => {
          keepInTab(keep);
          setKept(keep);
          say(keep ? 'This tab stays signed in until you close it.' : 'A reload of this page signs you out.');
        }}
        label="Keep me signed in in this tab"
        hint="Stores the key in this tab’s session storage until you close it."
      />
    </Dialog>
  );
}

/** Says that the service is away, and asks until it is back. */
function LostBanner() {
  const lost = useStore(connection) === 'lost';
  useEffect(() => {
    if (!lost) return;
    const timer = setInterval(() => {
      void reach('GET', '/livez').catch(() => undefined);
    }, 2000);
    return () => {
      clearInterval(timer);
    };
  }, [lost]);
  return lost ? (
    <div class="banner" role="alert">
      <span>The server does not answer. What you see may be old; it is tried again every two seconds.</span>
    </div>
  ) : null;
}
