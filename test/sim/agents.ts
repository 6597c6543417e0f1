/**
 * What the simulated agents do, by what they are told; the same request always gets the same answer, so a step that
 * runs again says the same. The vocabulary is that of the chaos tests (test/chaos/cluster/script.ts):
 *   input "work U"           three steps, each remembering "U step N", then an answer
 *   input "share HIVE U"     shares "U" with that hive, then answers
 *   input "change U"         remembers that U is in Oslo, changes that to Rome, forgets it, then answers
 *   input "question A,B U"   asks A and B side by side, each to "work U-n", then answers; with "A>B" A is to ask B that
 *   input "over A U"         hands the conversation over to A; A answers
 *   input "back A U"         hands it back to A, where it is not A that is told so
 *   input "spawn U"          spawns two agents, asks each to "work" by its name, then answers
 *   input "peer P U"         asks the agent elsewhere that its tool P is, and answers with the outcome
 *   mail "hop A,B,C U"       goes on to A as "hop B,C U", until the last of its path is given "token U"
 */
import type { StepContext, StepProposal } from '../../src/reasoner/port.js';
import { stepsOfWork } from '../chaos/model-server.js';
import { mailOf } from '../chaos/cluster/script.js';

const proposal = (...calls: StepProposal['calls'][number][]): StepProposal => ({ thoughts: [], calls });

const changes = (unique: string): StepProposal[] => [
  proposal({ tool: 'remember', arguments: { type: 'semantic', content: `${unique} is in Oslo` } }),
  proposal({ tool: 'update_memory', arguments: { memory: `${unique} is in Oslo`, content: `${unique} is in Rome` } }),
  proposal({ tool: 'forget', arguments: { memory: `${unique} is in Rome` } }),
];

export function simulatedStep({ run, messages, transcript }: StepContext): StepProposal {
  const done = proposal({ tool: 'answer', arguments: { content: 'done' } });
  const hops = messages.flatMap(({ content }) => [...content.matchAll(/^hop (\S+) (\S+)$/gm)]);
  if (hops.length > 0)
    return proposal(
      ...hops.map(([, path = '', unique = '']) => {
        const [to = '', ...rest] = path.split(',');
        return { tool: 'send_message' as const, arguments: { to, content: mailOf(rest, unique) } };
      }),
    );
  const work = /^work (\S+)$/.exec(run.input);
  const worked = transcript.flat().filter(({ tool }) => tool === 'remember').length;
  if (work && worked < stepsOfWork)
    return proposal({ tool: 'remember', arguments: { type: 'note', content: `${work[1] ?? ''} step ${worked + 1}` } });
  const change = /^change (\S+)$/.exec(run.input);
  if (change) return changes(change[1] ?? '')[transcript.length] ?? done;
  const question = /^question (\S+) (\S+)$/.exec(run.input);
  if (question && transcript.length === 0)
    return proposal(
      ...(question[1] ?? '').split(',').map((path, n) => {
        const [agent = '', ...rest] = path.split('>');
        const unique = `${question[2] ?? ''}-${n}`;
        const asked = rest.length > 0 ? `question ${rest.join('>')} ${unique}` : `work ${unique}`;
        return { tool: 'ask_agent' as const, arguments: { agent, question: asked, session: unique } };
      }),
    );
  const hands = /^(?:over|back) (\S+) (\S+)$/.exec(run.input);
  if (hands && transcript.length === 0)
    return proposal({ tool: 'hand_off', arguments: { agent: hands[1] ?? '', reason: hands[2] ?? '' } });
  const spawn = /^spawn (\S+)$/.exec(run.input)?.[1];
  if (spawn !== undefined && transcript.length < 2) {
    const children = transcript.flat().flatMap(({ result }) => /^spawned \S+ as (\S+)$/.exec(result)?.[1] ?? []);
    return transcript.length === 0
      ? proposal(
          ...[0, 1].map((n) => ({
            tool: 'spawn_agent' as const,
            arguments: { name: `${spawn}-child-${n}`, instructions: 'You help.' },
          })),
        )
      : proposal(
          ...children.map((agent, n) => ({
            tool: 'ask_agent' as const,
            arguments: { agent, question: `work ${spawn}-child-${n}` },
          })),
        );
  }
  const peer = /^peer (\S+) (\S+)$/.exec(run.input);
  if (peer) {
    const [came] = transcript.flat();
    return came
      ? proposal({ tool: 'answer', arguments: { content: `${came.ok} ${came.result}` } })
      : proposal({
          tool: 'use_tool',
          arguments: { name: peer[1] ?? '', input: JSON.stringify({ message: peer[2] ?? '' }) },
        });
  }
  const share = /^share (\S+) (\S+)$/.exec(run.input);
  if (share && transcript.length === 0)
    return proposal({
      tool: 'share_with_hive',
      arguments: { hive_id: share[1] ?? '', type: 'note', content: share[2] ?? '' },
    });
  return done;
}
