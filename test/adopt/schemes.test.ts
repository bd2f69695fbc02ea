import assert from 'node:assert/strict'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parse } from 'yaml'
import type { Report } from '#adopt/report/report.ts'
import { housestyle } from '#test/program/cli/housestyle.ts'
import { golden } from '#test/support/golden.ts'
import { temporaryFolder } from '#test/support/temporary.ts'

async function adopted(files: Readonly<Record<string, string | object>>) {
  const cwd = await temporaryFolder()
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(join(cwd, 'source', dirname(name)), { recursive: true })
    writeFileSync(join(cwd, 'source', name), typeof content === 'string' ? content : JSON.stringify(content))
  }
  const { status, stdout, stderr } = await housestyle(['init', 'brand', '--from', 'source', '--json'], { cwd })
  assert.equal(status, 0, stderr)
  const report: Report = JSON.parse(stdout)
  const colors = parse(readFileSync(join(cwd, 'brand/guidelines/styles/colors.yaml'), 'utf8'))
  const values = colors.map(({ name, hex, dark }: Record<string, string>) => [name, hex, dark])
  return { values, lost: report.lost.map(({ text }) => text), merged: report.merged.map(({ from }) => from).sort() }
}

golden('adopt/schemes', ({ files }: { files: Readonly<Record<string, string | object>> }) => adopted(files))
