import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { parse } from 'yaml'
import { agentTools, type CallTool } from '../../../support/agent-tools.ts'
import { needs } from '../../../support/programs.ts'
import { temporaryStore } from '../../../support/temporary-store.ts'

type Question = { ask: string; ids: readonly string[]; values: readonly string[] }
type Opened = { id: string; text: string }
type Result = Opened & { project: string }
/** The fields of the replies of `search`, `fetch` and the lists that the agent reads. */
type Reply = Opened & { results: Result[]; files?: Opened[]; colors?: Opened[]; types?: Opened[] }

/** The guides that the questions are about, by workspace. The guide of 18F is not part of the project. */
const FOLDERS: Readonly<Record<string, string>> = {
  acme: fileURLToPath(new URL('../../../../examples/acme', import.meta.url)),
  '18f': fileURLToPath(new URL('../../../../../shared/corpus/18f', import.meta.url)),
}
const TWO_CALLS = 50 / 60

const file = readFileSync(new URL('../questions.yaml', import.meta.url), 'utf8')
const brands: { brand: string; questions: readonly Question[] }[] = parse(file)
const temporary = await temporaryStore()
const tools = new Map<string, CallTool>()
for (const [brand, folder] of Object.entries(FOLDERS)) {
  if (!existsSync(folder)) continue
  await temporary.show(folder)
  tools.set(brand, await agentTools(temporary.store, brand))
}
const calls = new Map<Question, number>()

test('there are sixty questions, half of them about each guide', () => {
  const seen = brands.map(({ brand, questions }) => [brand, questions.length])
  assert.deepEqual(seen, [
    ['acme', 30],
    ['18f', 30],
  ])
})

for (const { brand, questions } of brands) {
  const call = tools.get(brand)
  const { skip } = needs(...(call ? [] : ['../shared' as const]))

  test(`every expected value is in the content of ${brand} with the expected id`, { skip }, async () => {
    assert.ok(call)
    for (const { ask, ids, values } of questions)
      for (const id of ids) {
        const { text } = await read(call, 'fetch', { id })
        assert.ok(hasAll(text, values), `${ask}: ${id} does not contain ${values}`)
      }
  })

  test(`an agent without a model finds the answers about ${brand} with at most three calls`, { skip }, async () => {
    assert.ok(call)
    const failures: string[] = []
    for (const question of questions) {
      const used = await callsFor(call, question)
      if (used === undefined) failures.push(question.ask)
      else calls.set(question, used)
    }
    assert.deepEqual(failures, [])
  })
}

after(() => {
  const counts = Map.groupBy(calls.values(), used => used)
  const shown = [1, 2, 3].map(used => `${counts.get(used)?.length ?? 0} with ${used}`)
  console.log(`calls for ${calls.size} questions: ${shown.join(', ')}`)
})

test('five of six answers take at most two calls', () => {
  const asked = [...calls.values()]
  const quick = asked.filter(used => used <= 2).length
  assert.ok(quick >= asked.length * TWO_CALLS, `only ${quick} of ${asked.length}`)
})

/**
 * Counts the calls until an opened result has the answer. The agent knows no ids. It searches with the question, and reads
 * the first result. If the answer is not in its text, it fetches that result. Then the words of the question decide.
 */
async function callsFor(call: CallTool, { ask, ids, values }: Question): Promise<number | undefined> {
  const { results } = await read(call, 'search', { query: ask })
  const [first, second]: Result[] = results
  if (!first) return undefined
  if (isAnswer(first, ids, values)) return 1
  if (isAnswer(await read(call, 'fetch', { id: first.id }), ids, values)) return 2
  const items = await lastCall(call, ask, first, second)
  return items.some(item => isAnswer(item, ids, values)) ? 3 : undefined
}

/** Opens the list that a word of the question names, and reads its first entry; or else the second result. */
async function lastCall(call: CallTool, ask: string, { project }: Result, second?: Result): Promise<Opened[]> {
  const query = { project, query: ask }
  if (/\b(?:RAL|Pantone|CMYK|RGB|hex)\b/i.test(ask)) {
    const { colors = [] } = await read(call, 'get_styles', { ...query, kind: 'colors' })
    return firstOf(colors, `color:${project}/`)
  }
  if (/\b(?:font size|line height|letter spacing)\b/i.test(ask)) {
    const { types = [] } = await read(call, 'get_styles', { ...query, kind: 'types' })
    return firstOf(types, `type:${project}/`)
  }
  if (/\b(?:file|download)\b/i.test(ask)) return firstOf((await read(call, 'list_files', query)).files ?? [], '')
  return second ? [await read(call, 'fetch', { id: second.id })] : []
}

function firstOf(entries: readonly Opened[], prefix: string): Opened[] {
  return entries.slice(0, 1).map(entry => ({ id: `${prefix}${entry.id}`, text: JSON.stringify(entry) }))
}

/** Whether an opened result is an expected one, or the whole page of it, and has all words of the answer. */
function isAnswer({ id, text }: Opened, ids: readonly string[], values: readonly string[]): boolean {
  return ids.some(each => each === id || each.startsWith(`${id}#`)) && hasAll(text, values)
}

/** Ignores case and markup. A value may be in the address of a link, or continue after it. */
function hasAll(text: string, values: readonly string[]): boolean {
  const plain = (written: string) =>
    written
      .toLowerCase()
      .replace(/&rsquo;/g, '’')
      .replace(/&amp;/g, '&')
      .replace(/[\s*_[\]|\\]+/g, ' ')
  const forms = [plain(text), plain(text.replace(/\]\([^\s()]*(?:\s+"[^"]*")?\)/g, ''))]
  return values.every(value => forms.some(form => form.includes(plain(value))))
}

async function read(call: CallTool, name: string, args: object): Promise<Reply> {
  const reply = await call(name, args)
  assert.ok(reply.ok, reply.ok ? '' : reply.problem)
  return JSON.parse(JSON.stringify(reply.value))
}
