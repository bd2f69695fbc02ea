import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import test, { after } from 'node:test'
import { Document, isSeq, parse, visit } from 'yaml'

const FOLDER = join(import.meta.dirname, '../fixtures/golden')
const isRenewing = env.RENEW_GOLDEN !== undefined

/**
 * Tests what a function gives for the cases of a file of test/fixtures/golden: a map of titles to lists of inputs, each with the
 * expected result under `gives`. With RENEW_GOLDEN in the environment, it writes the results instead: read the diff afterwards.
 */
export function golden<Input extends object>(name: string, run: (input: Input) => unknown): void {
  const file = join(FOLDER, `${name}.yaml`)
  const titles: Record<string, (Input & { gives: unknown })[]> = parse(readFileSync(file, 'utf8'))
  for (const [title, cases] of Object.entries(titles))
    test(title, async () => {
      for (const each of cases) {
        const { gives, ...input } = each
        const result: unknown = JSON.parse(JSON.stringify(await run(each)))
        if (isRenewing) each.gives = result
        else assert.deepEqual(result, gives, JSON.stringify(input))
      }
    })
  if (isRenewing) after(() => writeFileSync(file, asYaml(titles)))
}

/** A block for each case, and a line for each object in the lists of a case, unless it has several lines of text. */
function asYaml(titles: object): string {
  const document = new Document(titles, { aliasDuplicateObjects: false })
  visit(document, {
    Map: (_, node, path) => {
      node.flow = path.length > 6 && isSeq(path.at(-1)) && !JSON.stringify(node).includes('\\n')
    },
  })
  return document.toString({ lineWidth: 0 })
}
