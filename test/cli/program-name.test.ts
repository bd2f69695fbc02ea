import assert from 'node:assert/strict'
import test from 'node:test'
import { programName } from '../../src/cli/program-name.ts'

const CASES = [
  ['an installed command', '/usr/local/bin/housestyle', '/elsewhere', {}, 'housestyle'],
  [
    'a command that npx runs',
    '/project/node_modules/.bin/housestyle',
    '/project',
    { npm_command: 'exec' },
    'npx housestyle',
  ],
  ['a script of the checkout', '/src/hs/bin/housestyle.js', '/src/hs', { npm_command: 'run-script' }, 'npx housestyle'],
  ['the file of the checkout', '/src/hs/bin/housestyle.js', '/src/hs', {}, 'npx housestyle'],
  [
    'the file of the checkout from a folder in it',
    '/src/hs/bin/housestyle.js',
    '/src/hs/examples',
    {},
    'npx housestyle',
  ],
  [
    'the file of a checkout elsewhere',
    '/src/my hs/bin/housestyle.js',
    '/elsewhere',
    {},
    "node '/src/my hs/bin/housestyle.js'",
  ],
] as const

for (const [what, script, folder, environment, name] of CASES)
  test(`messages name the program as the user can type it: ${what}`, () => {
    assert.equal(programName(script, { folder: () => folder, environment }), name)
  })
