import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { parse } from 'yaml'
import type { Report } from '#adopt/report/report.ts'
import { housestyle } from '#test/program/cli/housestyle.ts'
import { temporaryFolder } from '#test/support/temporary.ts'

async function adopted(files: Readonly<Record<string, string | object>>) {
  const cwd = await temporaryFolder()
  mkdirSync(join(cwd, 'source'))
  for (const [name, content] of Object.entries(files))
    writeFileSync(join(cwd, 'source', name), typeof content === 'string' ? content : JSON.stringify(content))
  const { status, stdout, stderr } = await housestyle(['init', 'brand', '--from', 'source', '--json'], { cwd })
  assert.equal(status, 0, stderr)
  const report: Report = JSON.parse(stdout)
  const colors = parse(readFileSync(join(cwd, 'brand/guidelines/styles/colors.yaml'), 'utf8'))
  const values = colors.map(({ name, hex, dark }: Record<string, string>) => [name, hex, dark])
  return { values, lost: report.lost.map(({ text }) => text), merged: report.merged.map(({ from }) => from) }
}

test('values of a style sheet for dark pages belong to their colours; others are lost', async () => {
  const sheet = `:root { --ink: #14212b; --sand: light-dark(#f5ead6, #2a2118); --link: #0b3c5d; }
@media (prefers-color-scheme: dark) { :root { --ink: #e8eef2; --link: var(--sand); } }
[data-theme="contrast"] { --ink: #000000; }
.dark { --ink: #ffffff; --other: #123456; }`
  const { values, lost } = await adopted({ 'tokens.css': sheet })
  assert.deepEqual(values, [
    ['ink', '#14212b', '#e8eef2'],
    ['sand', '#f5ead6', '#2a2118'],
    ['link', '#0b3c5d', '#f5ead6'],
  ])
  assert.deepEqual(lost, ['--ink: #000000', '--ink: #ffffff', '--other: #123456'])
})

test('groups, files, contexts and modes for dark give colours their second value', async () => {
  const color = ($value: string) => ({ ink: { $type: 'color', $value } })
  const groups = await adopted({ 'tokens.json': { light: color('#14212b'), dark: color('#e8eef2') } })
  assert.deepEqual(groups.values, [['light ink', '#14212b', '#e8eef2']])
  const sources = (name: string) => [{ $ref: name }]
  const resolver = {
    version: '2025.10',
    modifiers: {
      scheme: { contexts: { light: sources('light.json'), dark: sources('dark.json') }, default: 'light' },
    },
    resolutionOrder: sources('#/modifiers/scheme'),
  }
  const files = { 'light.json': color('#14212b'), 'dark.json': color('#e8eef2') }
  const contexts = await adopted({ ...files, 'brand.resolver.json': resolver })
  assert.deepEqual(contexts.values, [['ink', '#14212b', '#e8eef2']])
  assert.deepEqual(contexts.merged.sort(), ['brand.resolver.json', 'dark.json', 'light.json'])
  const variable = { name: 'ink', variableCollectionId: 'c', resolvedType: 'COLOR' }
  const [r, g, b] = [0, 0.2, 0.4]
  const meta = {
    variables: { v: { ...variable, valuesByMode: { m: { r, g, b }, n: { r: 1, g: 1, b: 1 } } } },
    variableCollections: {
      c: {
        name: 'Brand',
        defaultModeId: 'm',
        modes: [
          { modeId: 'm', name: 'Light' },
          { modeId: 'n', name: 'Dark' },
        ],
      },
    },
  }
  assert.deepEqual((await adopted({ 'variables.json': { meta } })).values, [['ink', '#003366', '#ffffff']])
})
