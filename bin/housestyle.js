#!/usr/bin/env node
// An old Node has to be able to read this file, so that it can say what is missing: no static import, no top-level await.
const needed = 24
const running = process.versions.node

if (Number(running.split('.')[0]) < needed) {
  console.error(
    `housestyle needs Node ${needed} or newer and this is Node ${running}: install a newer Node, or in a checkout run \`npx housestyle …\` or \`npm start\`, which bring their own.`,
  )
  process.exitCode = 1
} else {
  if (process.argv[2] === 'serve') keepHeapSmall()
  process.getBuiltinModule('module').enableCompileCache()
  // A checkout has src/ and perhaps a dist/ of some earlier day; the package has dist/ alone.
  const source = new URL('../src/main.ts', import.meta.url)
  void import(process.getBuiltinModule('fs').existsSync(source) ? source.href : '../dist/main.js')
}

/**
 * Runs the process anew, with the same id, so that its heap stays close to what is in use: V8 collects when the heap has
 * grown by a third, and keeps at most 4 MB for new objects, where it would otherwise keep 64 MB for good once a large guide
 * was read. Both have to be known when a process starts. Windows knows no such call, nor does a process with a channel
 * to its parent survive it; there the heap is as large as V8 likes.
 */
function keepHeapSmall() {
  const flags = ['--heap-growing-percent=30', '--max-semi-space-size=4']
  if (process.execArgv.includes(flags[0]) || process.platform === 'win32' || process.channel || !process.execve) return
  try {
    process.execve(process.execPath, [process.execPath, ...flags, ...process.execArgv, ...process.argv.slice(1)])
  } catch {
    // Node's permissions may forbid it.
  }
}
