import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import test from 'node:test'

const root = new URL('../../', import.meta.url)
const TEXTS = globSync(['*.md', 'docs/**/*.md', 'client/README.md', 'examples/*.md', 'deploy/**/*', 'src/**/*.ts'], {
  cwd: root,
  withFileTypes: true,
})
  .filter(file => file.isFile())
  .map(file => `${file.parentPath}/${file.name}`)

/** A command with curl until the end of its line, with continued lines; in text, until its code ends. */
const COMMAND = /(?<![\w./-])curl (?=-|"|'|http|\$)(?:\\\n|[^\n`|;])*/g

/** The short options of a command, such as `fsS`, without their values. */
function shortOptions(command: string): string {
  return [...command.matchAll(/ -([a-zA-Z]+)/g)].map(([, letters]) => letters).join('')
}

function writesFile(command: string): boolean {
  return (
    / --(?:output|remote-name)\b|(?<!\d)> ?(?!&|\/dev\/null)[\w"'$./-]/.test(command) ||
    /[oO]/.test(shortOptions(command))
  )
}

test('each line with curl that writes a file fails on a refusal and shows errors', () => {
  const commands = TEXTS.flatMap(path =>
    [...readFileSync(path, 'utf8').matchAll(COMMAND)].map(([text]) => ({ path, text })),
  ).filter(({ text }) => writesFile(text) && !text.includes('-o /dev/null'))
  assert.ok(commands.length >= 4)
  for (const { path, text } of commands)
    for (const letter of 'fsS') assert.ok(shortOptions(text).includes(letter), `${path}: ${text} needs -fsS`)
})
