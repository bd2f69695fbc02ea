import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { generatedFiles } from '../../scripts/generate.ts'

for (const { path, text } of await generatedFiles()) {
  test(`${path} is up to date with the code`, async () => {
    const written = await readFile(new URL(`../../${path}`, import.meta.url), 'utf8')
    assert.equal(written, text, `${path} is out of date: run \`npm run docs\``)
  })
}
