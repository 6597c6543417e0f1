/** At which share of the month's quota the workspace is told: shown below the quota, and set in a dialog. */
import { useState } from 'preact/hooks';
import { request, type UsageAlerts } from '../lib/api.js';
import { count } from '../lib/format.js';
import { href } from '../lib/router.js';
import { session } from '../lib/session.js';
import { useStore } from '../lib/store.js';
import type { Loaded } from '../lib/use-query.js';
import { Button, useAction } from '../ui/button.js';
import { Dialog } from '../ui/dialogs.js';
import { TextField } from '../ui/fields.js';
import { Time } from '../ui/labels.js';
import { Problem, Skeleton } from '../ui/states.js';

/** Whether the workspace's tier has alerts; the service refuses them to the others. */
export function useHasAlerts(): boolean {
  const who = useStore(session);
  return who.key !== null && who.me.tier !== 'free' && who.me.tier !== 'sandbox';
}

/** `alerts` is null where the tier has none. */
export function AlertsPart({ alerts, limited }: { alerts: Loaded<UsageAlerts> | null; limited: boolean }) {
  const [setting, setSetting] = useState(false);
  if (alerts === null)
    return <p class="hint">Workspaces of tier pro and above can be told when they have used a share of the month.</p>;
  const { data } = alerts;
  return (
    <section class="stack tight" aria-label="Usage alerts">
      <div class="row between">
        <h3>Alerts</h3>
        {data !== null && (
          <Button
            small
            needs="workspace:admin"
            onClick={() => {
              setSetting(true);
            }}
          >
            Set alerts
          </Button>
        )}
      </div>
      {data === null ? (
        alerts.error === null ? (
          <Skeleton />
        ) : (
          <Problem error={alerts.error} retry={alerts.reload} />
        )
      ) : (
        <>
          <p>{limited ? when(data) : 'The month has no limit, so no alert is ever due.'}</p>
          {data.sent.length > 0 ? (
            <ul class="items plain" aria-label="Alerts of this month">
              {data.sent.map((alert) => (
                <SentAlert key={alert.at + String(alert.percent)} alert={alert} />
              ))}
            </ul>
          ) : (
            limited && data.thresholds.length > 0 && <p class="hint">None was due this month.</p>
          )}
        </>
      )}
      {setting && data !== null && (
        <AlertsDialog
          alerts={data}
          saved={(after) => {
            alerts.mutate(() => after);
          }}
          onClose={() => {
            setSetting(false);
          }}
        />
      )}
    </section>
  );
}

function when({ thresholds }: UsageAlerts) {
  if (thresholds.length === 0) return 'Alerts are off.';
  const last = `${String(thresholds.at(-1))} %`;
  return (
    <>
      Told at {thresholds.length === 1 ? last : `${thresholds.slice(0, -1).join(', ')} and ${last}`}, on the event
      stream and to <a href={href('operations', 'webhooks')}>webhooks</a> that listen.
    </>
  );
}

const SentAlert = ({ alert: { percent, used, at } }: { alert: UsageAlerts['sent'][number] }) => (
  <li>
    <div class="row">
      <strong class="tabular">{percent} %</strong>
      <span>{count(used)} memories</span>
      <Time at={at} />
    </div>
  </li>
);

/** The percentages in a text such as `80, 95`; null if it has anything else in it. */
export function readThresholds(text: string): number[] | null {
  const parts = text.split(/[\s,;%]+/).filter((part) => part !== '');
  const percents = [...new Set(parts.map(Number))].sort((a, b) => a - b);
  return percents.length <= 10 && percents.every((n) => Number.isInteger(n) && n >= 1 && n <= 100) ? percents : null;
}

function AlertsDialog({
  alerts: { thresholds },
  saved,
  onClose,
}: {
  alerts: UsageAlerts;
  saved: (after: UsageAlerts) => void;
  onClose: () => void;
}) {
  const [percents, setPercents] = useState(thresholds.join(', '));
  const read = readThresholds(percents);
  const { run, busy, error } = useAction(async () => {
    const body = { thresholds: read };
    const after = await request<UsageAlerts>('PUT', '/v1/usage/alerts', { body });
    saved(after);
    onClose();
    return after.thresholds.length === 0 ? 'Alerts are off.' : 'The alerts are set.';
  });
  return (
    <Dialog title="Usage alerts" onClose={onClose}>
      <form
        class="form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          if (read !== null) run();
        }}
      >
        <TextField
          label="Told at, in percent of the month"
          value={percents}
          onInput={setPercents}
          autocomplete="off"
          autoFocus
          error={read === null ? 'Up to 10 whole numbers from 1 to 100, with commas between them.' : undefined}
          hint="Up to 10, with commas between them; empty turns alerts off. Each is told once a month."
        />
        <Problem error={error} />
        <div class="actions">
          <Button onClick={onClose}>Cancel</Button>
          <Button kind="primary" type="submit" busy={busy}>
            Save
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
