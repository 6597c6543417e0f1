/** The port of embeddings: vectors in which texts of similar meaning are close to one another. */

/**
 * The server will not make vectors of these texts, such as one that is too long for the model, however often it is
 * asked.
 */
export class TextsRefused extends Error {
  override readonly name = 'TextsRefused';
}

/** Many models are told what a text is: something that is looked for, or something that may be found. */
export type TextRole = 'query' | 'passage';

export interface Embedder {
  /**
   * What made the vectors, such as "openai/text-embedding-3-small", with what else they depend on: those of another
   * model are made anew.
   */
  readonly model: string;
  /** Whether a text has another vector as a query than as a passage. */
  readonly byRole?: boolean;
  /**
   * One vector for each text, all of one dimension. Rejects with TextsRefused, or with another error if the server is
   * away or answers something else.
   */
  embed(texts: readonly string[], role: TextRole, signal: AbortSignal): Promise<number[][]>;
}
