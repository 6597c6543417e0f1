import { href } from '../../lib/router.js';
import { PageHead, Tabs } from '../../ui/page-head.js';
import { Needs } from '../../ui/states.js';
import { Audit } from './audit.js';
import { Data } from './data.js';
import { DeadLetters } from './dead-letters.js';
import { LiveEvents } from './events.js';
import { Keys } from './keys.js';
import { ModelUsage } from './model-usage.js';
import { Server } from './server.js';
import { Webhooks } from './webhooks.js';

const tabs = [
  ['keys', 'Keys'],
  ['audit', 'Audit'],
  ['usage', 'Usage'],
  ['dead-letters', 'Dead letters'],
  ['webhooks', 'Webhooks'],
  ['events', 'Live events'],
  ['data', 'Data'],
  ['server', 'Server'],
] as const;

export const Operations = ({ tab }: { tab: string }) => (
  <>
    <PageHead title="Operations">
      <p>Who may come in, what was done, and what did not arrive.</p>
    </PageHead>
    <Tabs
      label="Parts of operations"
      tabs={tabs.map(([name, text]) => [name, href('operations', name), text])}
      current={tab}
    />
    <Tab tab={tab} />
  </>
);

function Tab({ tab }: { tab: string }) {
  switch (tab) {
    case 'audit':
      return (
        <Needs scope="workspace:admin">
          <Audit />
        </Needs>
      );
    case 'usage':
      return (
        <Needs scope="usage:read">
          <ModelUsage />
        </Needs>
      );
    case 'dead-letters':
      return (
        <Needs scope="agent:read">
          <DeadLetters />
        </Needs>
      );
    case 'webhooks':
      return (
        <Needs scope="workspace:admin">
          <Webhooks />
        </Needs>
      );
    case 'events':
      return (
        <Needs scope="agent:read">
          <LiveEvents />
        </Needs>
      );
    case 'data':
      return (
        <Needs scope="workspace:admin">
          <Data />
        </Needs>
      );
    case 'server':
      return <Server />;
    default:
      return (
        <Needs scope="workspace:admin">
          <Keys />
        </Needs>
      );
  }
}
