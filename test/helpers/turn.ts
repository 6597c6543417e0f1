/** A turn of the event loop: what is due by now happens first, and no time has to pass. */
import { setImmediate } from 'node:timers/promises';

export const turn = (): Promise<void> => setImmediate();
