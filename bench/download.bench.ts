import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, rmSync, truncateSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { command, peakMegabytes, type Running, serve } from '../test/support/command.ts'
import { freePort } from '../test/support/free-port.ts'
import { unpackPackage } from './package.ts'
import { median } from './quantile.ts'
import type { Figure } from './run.ts'

const ROUNDS = 5
const GIBIBYTE = 2 ** 30

/** What a download of 1 GiB takes: memory, and time beside nginx, which has the system send the same file. */
export async function measure(): Promise<Figure[]> {
  const folder = mkdtempSync(join(tmpdir(), 'housestyle-bench-'))
  try {
    const bin = unpackPackage(folder)
    const brand = join(folder, 'acme')
    const large = join(brand, 'brand/files/large.bin')
    mkdirSync(join(brand, 'brand/files'), { recursive: true })
    writeFileSync(join(brand, 'brand/project.yaml'), 'visibility: public\n')
    writeFileSync(large, '')
    truncateSync(large, GIBIBYTE)
    const store = ['--data', join(folder, 'data')]
    await command(bin, 'import', brand, ...store)
    await command(bin, 'publish', '--all', ...store)
    const token = (await command(bin, 'token', 'issue', 'acme', ...store)).trim()
    const service = await serve(bin, ...store)
    try {
      return await measureService(service, token, large)
    } finally {
      await service.stop()
    }
  } finally {
    rmSync(folder, { recursive: true })
  }
}

async function measureService(service: Running, token: string, large: string): Promise<Figure[]> {
  const list = await fetch(`${service.baseUrl}/workspace/acme/project/brand/files`, {
    headers: { authorization: `Bearer ${token}` },
  })
  const { files }: { files: { url: string }[] } = JSON.parse(await list.text())
  const url = files[0]?.url ?? ''
  const archive = `${service.url}/acme/brand/-/files.zip`
  const nginx = await startNginx(dirname(large))
  const before = peakMegabytes(service.pid)
  const times = { file: [0], archive: [0] }
  for (let round = 0; round < ROUNDS; round++) {
    const there = readMs(`${nginx.url}/${basename(large)}`)
    times.file[round] = readMs(url) / there
    times.archive[round] = readMs(archive) / there
  }
  await nginx.stop()
  const growth = peakMegabytes(service.pid) - before
  await leaveUnread(new URL(url), 100)
  const growthUnread = peakMegabytes(service.pid) - before
  return [
    { name: 'memory of downloads of 1 GiB', value: growth, unit: 'MB', wanted: { atMost: 50 } },
    {
      name: 'the same with a hundred clients that read nothing',
      value: growthUnread,
      unit: 'MB',
      wanted: { atMost: 50 },
    },
    {
      name: 'a file of 1 GiB ÷ the same by nginx',
      value: median(times.file),
      unit: 'ratio',
      wanted: { atMost: 2.5 },
    },
    { name: 'an archive of it ÷ the same', value: median(times.archive), unit: 'ratio', wanted: { atMost: 3.5 } },
  ]
}

/** Serves a folder with nginx, which must be installed. */
async function startNginx(folder: string): Promise<{ url: string; stop: () => Promise<void> }> {
  const port = await freePort()
  const own = mkdtempSync(join(tmpdir(), 'housestyle-nginx-'))
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(name => `${name}_temp_path ${own}/${name};`)
  const server = `server { listen 127.0.0.1:${port}; root ${folder}; }`
  const http = `http { access_log off; sendfile on; ${paths.join(' ')} ${server} }`
  writeFileSync(join(own, 'nginx.conf'), `daemon off; master_process off; pid ${own}/pid; events {} ${http}`)
  const env = { ...process.env, PATH: `${process.env.PATH}:/usr/sbin` }
  const child = spawn('nginx', ['-e', join(own, 'log'), '-c', join(own, 'nginx.conf')], { env, stdio: 'inherit' })
  const exit = once(child, 'exit')
  const url = `http://127.0.0.1:${port}`
  for (let tries = 0; tries < 50 && !(await fetch(url).catch(() => undefined)); tries++) await sleep(100)
  const stop = async () => {
    child.kill()
    await exit
    rmSync(own, { recursive: true })
  }
  return { url, stop }
}

function readMs(url: string): number {
  const began = performance.now()
  execFileSync('curl', ['--silent', '--fail', '--output', '/dev/null', url])
  return performance.now() - began
}

async function leaveUnread({ port, pathname }: URL, count: number): Promise<void> {
  const sockets = Array.from({ length: count }, () => connect(Number(port), '127.0.0.1'))
  for (const socket of sockets) {
    await once(socket, 'connect')
    socket.write(`GET ${pathname} HTTP/1.1\r\nHost: brand.test\r\n\r\n`)
  }
  await sleep(2000)
  for (const socket of sockets) socket.destroy()
}
