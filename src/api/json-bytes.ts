import { encodeInSteps, inSteps } from '../base/steps.ts'

/** Encodes JSON like `JSON.stringify`. Writes lists in steps, so that other requests can run in between. */
export async function jsonBytes(body: object): Promise<Uint8Array> {
  const texts: string[] = []
  for (const [name, value] of Object.entries(body)) {
    if (value === undefined) continue
    texts.push(`${texts.length === 0 ? '{' : ','}${JSON.stringify(name)}:`)
    if (!Array.isArray(value)) texts.push(JSON.stringify(value))
    else for (const text of await listTexts(value)) texts.push(text)
  }
  texts.push(texts.length === 0 ? '{}' : '}')
  return encodeInSteps(texts)
}

async function listTexts(list: readonly unknown[]): Promise<string[]> {
  const entryText = (entry: unknown, at: number) => `${at === 0 ? '[' : ','}${JSON.stringify(entry)}`
  const texts = await inSteps(list, entryText)
  texts.push(texts.length === 0 ? '[]' : ']')
  return texts
}
