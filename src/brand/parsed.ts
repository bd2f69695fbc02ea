/** What became of a text that was read as a value: the value, or the reason why it is none, as the end of a sentence. */
export type Parsed<Value> = { value: Value } | { reason: string }
