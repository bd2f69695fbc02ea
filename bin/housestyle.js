#!/usr/bin/env node
// An old Node has to be able to read this file, so that it can say what is missing: no static import, no top-level await.
const needed = 24
const running = process.versions.node
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
  process.getBuiltinModule('module').enableCompileCache()
  // A checkout has src/ and perhaps a dist/ of some earlier day; the package has dist/ alone.
  const source = new URL('../src/main.ts', import.meta.url)
  void import(process.getBuiltinModule('fs').existsSync(source) ? source.href : '../dist/main.js')
}
