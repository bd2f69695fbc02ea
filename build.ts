import { execFileSync } from 'node:child_process'
import { cpSync, rmSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/*
 * Makes dist/, what the package ships in place of src/: the same modules as JavaScript, and beside them whatever
 * src/ holds that is not TypeScript. migrations/ stays where it is: src/store/ and dist/store/ are equally far from it.
 */
const root = import.meta.dirname
const tsc = new URL('bin/tsc', import.meta.resolve('typescript/package.json'))

rmSync(`${root}/dist`, { recursive: true, force: true })
execFileSync(process.execPath, [fileURLToPath(tsc), '--project', 'tsconfig.build.json'], {
  cwd: root,
  stdio: 'inherit',
})
cpSync(`${root}/src`, `${root}/dist`, { recursive: true, filter: path => !path.endsWith('.ts') })
