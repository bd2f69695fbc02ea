import assert from 'node:assert/strict'
import test from 'node:test'
import { draftOf, read } from '../reading.ts'

const STYLES = {
  'styles/colors.yaml': '- {name: Ink, hex: "14212b"}\n- {name: Paper, hex: faf7f2}\n',
  'styles/types.yaml': '- {name: Body, fallback: [Georgia, serif]}\n',
}
const COLORS = {
  dk1: 'ink',
  lt1: 'paper',
  dk2: 'ink',
  lt2: 'paper',
  accent1: 'ink',
  accent2: 'ink',
  accent3: 'ink',
  accent4: 'ink',
  accent5: 'ink',
  accent6: 'ink',
  hlink: 'ink',
  folHlink: 'paper',
}
const office = (said: Readonly<Record<string, string>>) => ({
  ...STYLES,
  'project.yaml': `office:\n${Object.entries(said)
    .map(([key, value]) => `  ${key}: ${value}\n`)
    .join('')}`,
})

test('office names colours and families, with keys in the order of an Office theme', async () => {
  const said = { minor: 'Georgia', major: 'Georgia', ...COLORS }
  const draft = await draftOf(office(said))
  assert.deepEqual(draft.office, { ...COLORS, major: 'Georgia', minor: 'Georgia' })
  assert.deepEqual((await draftOf(office(COLORS))).office, COLORS)
})

test('a missing colour in office is an error that suggests the nearest', async () => {
  const { findings, drafts } = await read(office({ ...COLORS, accent1: 'Inc', accent2: 'constructor' }))
  assert.deepEqual(
    findings.map(({ rule, line, message }) => ({ rule, line, message })),
    [
      {
        rule: 'reference-missing',
        line: 6,
        message: '"accent1" is "Inc", which is not the id of a colour in styles/colors.yaml; did you mean "ink"?',
      },
      {
        rule: 'reference-missing',
        line: 7,
        message:
          '"accent2" is "constructor", which is not the id of a colour in styles/colors.yaml; correct it, or remove it',
      },
    ],
  )
  assert.deepEqual(drafts, [])
})

test('an unknown family in office is a warning, and is kept', async () => {
  const { findings, drafts } = await read(office({ major: 'Georgio', minor: 'Aptos' }))
  const where = 'a family that no font under files/ and no type style has'
  assert.deepEqual(
    findings.map(({ severity, rule, line, message }) => ({ severity, rule, line, message })),
    [
      {
        severity: 'warning',
        rule: 'font-family-missing',
        line: 2,
        message: `"major" in "office" is "Georgio", ${where}; did you mean "Georgia"?`,
      },
      {
        severity: 'warning',
        rule: 'font-family-missing',
        line: 3,
        message: `"minor" in "office" is "Aptos", ${where}; add the font, or list the family as a fallback in styles/types.yaml`,
      },
    ],
  )
  assert.deepEqual(drafts[0]?.office, { major: 'Georgio', minor: 'Aptos' })
})
