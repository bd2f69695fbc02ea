#!/usr/bin/env node
// An old Node must be able to parse this file to print the message below: no static import, no top-level await.
const needed = 24
const running = process.versions.node
// decisions/0435
const bun = process.versions.bun

if (bun) {
  console.error(
    `housestyle needs Node ${needed} or newer and this is Bun ${bun}, which does not confine the processes that read pages, fonts and pictures: run it with Node, or in a checkout run \`npx housestyle …\` or \`npm start\`, which bring their own.`,
  )
  process.exitCode = 1
} else if (Number(running.split('.')[0]) < needed) {
  console.error(
    `housestyle needs Node ${needed} or newer and this is Node ${running}: install a newer Node, or in a checkout run \`npx housestyle …\` or \`npm start\`, which bring their own.`,
  )
  process.exitCode = 1
} else {
  keepCompiledCode()
  // A checkout has src/ and perhaps an outdated dist/; the package has only dist/.
  const source = new URL('../src/main.ts', import.meta.url)
  void import(process.getBuiltinModule('fs').existsSync(source) ? source.href : '../dist/main.js')
}

/**
 * Turns on Node's compile cache in a folder that only this user can write to. Node's default is a shared temporary folder,
 * where another user could plant code for this one to run. Without a safe folder nothing is cached.
 */
function keepCompiledCode() {
  const { enableCompileCache } = process.getBuiltinModule('module')
  const { lstatSync, mkdirSync, statSync } = process.getBuiltinModule('fs')
  const { homedir } = process.getBuiltinModule('os')
  const { isAbsolute, join } = process.getBuiltinModule('path')
  // The user is responsible for a folder they name.
  if (process.env.NODE_COMPILE_CACHE) return void enableCompileCache()
  try {
    const named = process.env.XDG_CACHE_HOME
    const isNamed = named && isAbsolute(named)
    const user = process.geteuid?.()
    // Under sudo, the home folder may belong to another user.
    if (!isNamed && user !== undefined && statSync(homedir()).uid !== user) return
    const folder = join(isNamed ? named : join(homedir(), '.cache'), 'housestyle')
    mkdirSync(folder, { recursive: true, mode: 0o700 })
    const { mode, uid } = lstatSync(folder)
    const isFolder = (mode & 0o170000) === 0o040000
    const isOwn = user === undefined || (uid === user && (mode & 0o077) === 0)
    if (isFolder && isOwn) enableCompileCache(folder)
  } catch {
    // For example, the home folder does not exist or is read-only.
  }
}
