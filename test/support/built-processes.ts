import childProcess from 'node:child_process'
import { existsSync } from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'
import { pathToFileURL } from 'node:url'

/*
 * A complete run of the tests loads this before each file. Services in the processes of tests then start the child
 * processes of the built program, as the package does: they need a third of the processor time to start.
 */

const SRC = new URL('../../src/', import.meta.url).href
const DIST = new URL('../dist/', pathToFileURL(process.env.TEST_PROGRAM ?? '')).href

childProcess.fork = new Proxy(childProcess.fork, {
  apply: (fork, self, [program, ...others]) => {
    const [options] = others
    if (Array.isArray(options?.execArgv))
      others[0] = { ...options, execArgv: options.execArgv.map((each: string) => builtOf(each)?.href ?? each) }
    return Reflect.apply(fork, self, [builtOf(`${program}`) ?? program, ...others])
  },
})
syncBuiltinESMExports()

/** The built file of a module of `src`. */
function builtOf(address: string): URL | undefined {
  if (!address.startsWith(SRC)) return undefined
  const file = new URL(address.slice(SRC.length).replace(/\.ts$/, '.js'), DIST)
  return existsSync(file) ? file : undefined
}
