import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SCOPES } from '#brand/contract/operations.ts'
import { runCommand } from '#test/support/run-command.ts'
import { SMALL_BRAND } from '#test/support/small-brand.ts'
import { temporaryStore } from '#test/support/temporary-store.ts'

const temporary = await temporaryStore()
const { folder } = temporary
await temporary.importing('acme', SMALL_BRAND)

const IMPORT = `import its folder first, or see \`housestyle status\`; this store is ${folder}/.data`
const SCOPE_LIST = `the scopes are ${SCOPES.join(', ')}`
const DURATIONS = 'write 30s, 15m, 1h or 30d'
const ALGORITHMS = 'ES256, EdDSA, Ed25519, RS256, PS256'
const REFERENCE = 'is not a project: write workspace/project, for example acme/guidelines'

for (const [command, exitCode, message] of [
  ['token issue acme --scope all', 1, `there is no scope "all": ${SCOPE_LIST}`],
  [
    'token issue acme --scope style.read',
    1,
    `there is no scope "style.read": ${SCOPE_LIST}; did you mean "styles.read"?`,
  ],
  ['token issue acme --project nope', 1, `there is no project "acme/nope": ${IMPORT}`],
  ['token issue acme --project guidelines --project ../x', 1, `there is no project "acme/../x": ${IMPORT}`],
  ['token issue nope', 1, `there is no workspace "nope": ${IMPORT}`],
  ...['1', 'h', '1.5h', '-1h', '0s', '1w'].map(
    text => [`token issue acme --expires=${text}`, 2, `--expires: "${text}" is not a duration: ${DURATIONS}`] as const,
  ),
  ['token issue acme --expires 367d', 2, '--expires: a token is valid for at most 366d, and 367d is longer'],
  [
    'token revoke a.b.c',
    2,
    'a whole token does not belong on a command line, which others can read: give it on stdin to `housestyle token revoke -`',
  ],
  [
    `token revoke ${'x'.repeat(256)}`,
    2,
    'the id of a token has at most 255 characters and no spaces: see `housestyle token list`',
  ],
  ['client create nope', 1, `there is no workspace "nope": ${IMPORT}`],
  ['client create acme --scope x', 1, `there is no scope "x": ${SCOPE_LIST}`],
  [
    'client create acme --scope style.read',
    1,
    `there is no scope "style.read": ${SCOPE_LIST}; did you mean "styles.read"?`,
  ],
  ['client create acme --project x', 1, `there is no project "acme/x": ${IMPORT}`],
  ['client delete nope', 1, 'there is no client "nope": see `housestyle client list`'],
  ['client update nope --all-projects', 1, 'there is no client "nope": see `housestyle client list`'],
  ['client update nope', 2, 'name the change: --name, --scope, --project or --all-projects'],
  ['client update x --project y --all-projects', 2, '--project and --all-projects contradict each other'],
  ['connection list nope', 1, `there is no workspace "nope": ${IMPORT}`],
  ['connection end nope', 1, 'there is no live connection "nope": see `housestyle connection list`'],
  ...['HS256', 'none', 'es256'].map(
    name => [`keys rotate --algorithm ${name}`, 2, `--algorithm: "${name}" is not one of ${ALGORITHMS}`] as const,
  ),
  [
    'keys rotate --key-secret fifteen.letters',
    2,
    '--key-secret: its value is not long enough: give at least 16 characters',
  ],
  ['share acme/nope', 1, `there is no project "acme/nope": ${IMPORT}`],
  ['share acme/../guide', 2, `"acme/../guide" ${REFERENCE}`],
  ['share acme', 2, `"acme" ${REFERENCE}`],
  ['share acme/guidelines --expires 1w', 2, `--expires: "1w" is not a duration: ${DURATIONS}`],
  ['share acme/guidelines --expires 367d', 2, '--expires: a share link is valid for at most 366d, and 367d is longer'],
  ['share list nope', 1, `there is no workspace "nope": ${IMPORT}`],
  ['share list acme/nope', 1, `there is no project "acme/nope": ${IMPORT}`],
  ['share revoke nope', 1, 'there is no share link "nope": see `housestyle share list`'],
] as const)
  test(`${command} fails with a clear message and exit code ${exitCode}`, async () => {
    const plain = await runCommand(folder, command.split(' '))
    assert.deepEqual(plain, { exitCode, out: '', err: `housestyle: ${message}\n` })
    const { out, err, exitCode: code } = await runCommand(folder, [...command.split(' '), '--json'])
    assert.deepEqual({ code, out, message: JSON.parse(err).message }, { code: exitCode, out: '', message })
  })
