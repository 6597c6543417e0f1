/** The port of embeddings: vectors in which texts of similar meaning are close to one another. */

/**
 * The server will not make vectors of these texts, such as one that is too long for the model, however often it is
 * asked.
 */
export class TextsRefused extends Error {
  override readonly name = 'TextsRefused';
}

export interface Embedder {
  /** What made the vectors, such as "openai/text-embedding-3-small": those of another model are made anew. */
  readonly model: string;
  /**
   * One vector for each text, all of one dimension. Rejects with TextsRefused, or with another error if the server is
   * away or answers something else.
   */
  embed(texts: readonly string[], signal: AbortSignal): Promise<number[][]>;
}
