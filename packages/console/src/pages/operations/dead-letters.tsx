import { path, request, type DeadLetter } from '../../lib/api.js';
import { plural } from '../../lib/format.js';
import { href } from '../../lib/router.js';
import { useList } from '../../lib/use-query.js';
import { AgentLink } from '../../ui/agent-link.js';
import { Button, attempt } from '../../ui/button.js';
import { Badge, Time } from '../../ui/labels.js';
import { List } from '../../ui/list.js';
import { Empty } from '../../ui/states.js';

/** Pushes that were given up after their last try. */
export function DeadLetters() {
  const list = useList<DeadLetter>('/v1/push/dead-letters');
  return (
    <section class="card flush" aria-label="Dead letters">
      <div class="card-head">
        <h2>Dead letters</h2>
        <p>Notifications that their receiver did not take, eight times over a quarter of an hour</p>
      </div>
      <List
        list={list}
        noun="dead letters"
        empty={
          <Empty icon="mail" title="Everything was delivered">
            <p>A push that is given up lies here until you replay it.</p>
          </Empty>
        }
      >
        {(letters) => (
          <ul class="items">
            {letters.map((letter) => (
              <li key={letter.id}>
                <div class="row between">
                  <code class="break">{letter.url}</code>
                  <Button
                    small
                    needs="agent:manage"
                    label={`Replay the push to ${letter.url}`}
                    onClick={() => {
                      attempt(
                        request('POST', path`/v1/push/dead-letters/${letter.id}/replay`, { body: {} }).then(
                          list.reload,
                        ),
                        'It is tried again, from the first try on.',
                      );
                    }}
                  >
                    Replay
                  </Button>
                </div>
                <p class="bad-text">{letter.reason}</p>
                <div class="meta">
                  <Badge of={letter.status} />
                  <span>
                    of <AgentLink id={letter.agent_id} />
                  </span>
                  <a href={href('agents', letter.agent_id, 'runs', letter.task_id)}>its run</a>
                  <span>{plural(letter.tries, 'try', 'tries')}</span>
                  <span>
                    given up <Time at={letter.updated_at} />
                  </span>
                </div>
              </li>
            ))}
          </ul>
        )}
      </List>
    </section>
  );
}
