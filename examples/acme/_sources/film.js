// Draws the frames of ident.html with Chromium and pipes them into ffmpeg; run it from the root of the repository:
//   node examples/acme/_sources/film.js
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { chromium } from 'playwright-core'

const RATE = 25
const here = path => fileURLToPath(new URL(path, import.meta.url))
const build = here('build/')
const out = here('../guidelines/files/film/')
for (const folder of [build, out, here('../guidelines/files/sound/')]) mkdirSync(folder, { recursive: true })
const run = (program, ...args) => execFileSync(program, args, { stdio: ['ignore', 'ignore', 'inherit'] })

run(process.execPath, here('sound.js'), `${build}ident.wav`)
run(process.execPath, here('sound.js'), `${build}sound.wav`, '5.9', '9.6')
run('ffmpeg', '-v', 'error', '-y', '-i', `${build}sound.wav`, '-codec:a', 'libmp3lame', '-b:a', '128k', here('../guidelines/files/sound/acme-sound.mp3'))

const args = ['--no-sandbox', '--disable-gpu', '--allow-file-access-from-files']
const browser = await chromium.launch({ executablePath: '/usr/bin/chromium', args })
const page = await browser.newPage({ viewport: { width: 1280, height: 720 } })
await page.goto(new URL('ident.html', import.meta.url).href)
await page.evaluate(() => document.fonts.load('600 38px Plex'))
const frame = async (name, second, quality) =>
  Buffer.from((await page.evaluate(`${name}(${second}); canvas.toDataURL('image/jpeg', ${quality})`)).split(',')[1], 'base64')

async function film(name, seconds, file, ...codecs) {
  const input = ['-v', 'error', '-y', '-f', 'image2pipe', '-framerate', `${RATE}`, '-c:v', 'mjpeg', '-i', '-']
  const ffmpeg = spawn('ffmpeg', [...input, ...codecs, `${out}${file}`], { stdio: ['pipe', 'inherit', 'inherit'] })
  for (let at = 0; at < seconds * RATE; at++) ffmpeg.stdin.write(await frame(name, at / RATE, 0.95))
  ffmpeg.stdin.end()
  await new Promise(resolve => ffmpeg.on('close', resolve))
}
const vp9 = ['-c:v', 'libvpx-vp9', '-crf', '36', '-b:v', '0', '-row-mt', '1', '-cpu-used', '3', '-pix_fmt', 'yuv420p', '-g', '125']
await film('draw', 10, 'ident.webm', '-i', `${build}ident.wav`, ...vp9, '-c:a', 'libopus', '-b:a', '96k')
await film('drawLoop', 4, 'shaving.webm', ...vp9)
writeFileSync(`${out}ident.jpg`, await frame('draw', 1.62, 0.82))
writeFileSync(`${out}shaving.jpg`, await frame('drawLoop', 2.2, 0.82))
await browser.close()
