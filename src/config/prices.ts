/** What models cost: the file that HIVEKEEP_PRICES names. Nothing is built in, because prices change. */
import { z } from 'zod';
import type { ModelPrice } from '../domain/agent/budgets.js';
import type { Config } from './config.js';
import { jsonFile } from './json-file.js';

const dollars = z.number().min(0).max(1_000_000);
const file = z.record(
  z.string().regex(/^[a-z][a-z0-9-]{0,31}\/\S+$/, 'must be <server>/<model>'),
  z.strictObject({ input: dollars, cached_input: dollars.optional(), output: dollars }),
);

/** By the names of `config.model`. Throws ConfigError with a sentence for each problem. */
export const modelPrices = ({ prices: path }: Pick<Config, 'prices'>): ReadonlyMap<string, ModelPrice> =>
  new Map(
    path === null
      ? []
      : Object.entries(jsonFile('HIVEKEEP_PRICES', path, file)).map(([model, { input, cached_input, output }]) => [
          model,
          { input, cachedInput: cached_input ?? input, output },
        ]),
  );
