/**
 * What the agents of a cluster's test do:
 *   input "work U"         as elsewhere
 *   input "share HIVE U"   shares "U" with that hive, then answers
 *   mail "hop A,B,C U"     goes on to A as "hop B,C U", until the last of its path is given "token U"
 */
import { newMail, repliesTo, type Call, type ChatMessage } from '../model-server.js';

export function script(messages: readonly ChatMessage[]): Call[] {
  const hops = newMail(messages).flatMap((mail) => [...mail.matchAll(/"content":"hop (\S+) ([^\s"]+)"/g)]);
  const share = messages
    .map((m) => /^share (\S+) (\S+)$/m.exec(m.role === 'user' ? (m.content ?? '') : ''))
    .find((found) => found !== null);
  if (share && !messages.some((m) => m.tool_calls !== undefined))
    return [{ name: 'share_with_hive', arguments: { hive_id: share[1] ?? '', type: 'note', content: share[2] ?? '' } }];
  if (hops.length === 0) return repliesTo(messages);
  return hops.map(([, path = '', unique = '']) => {
    const [to = '', ...rest] = path.split(',');
    return { name: 'send_message', arguments: { to, content: mailOf(rest, unique) } };
  });
}

export const shareInput = (hive: string, unique: string): string => `share ${hive} ${unique}`;

/** The mail of whoever has `path` still before it. */
export const mailOf = (path: readonly string[], unique: string): string =>
  path.length === 0 ? `token ${unique}` : `hop ${path.join()} ${unique}`;

/** Everything that is received when "hop" mail goes along `path`, beginning with who is written to first. */
export const mailAlong = (path: readonly string[], unique: string): { agent: string; content: string }[] =>
  path.map((agent, i) => ({ agent, content: mailOf(path.slice(i + 1), unique) }));
