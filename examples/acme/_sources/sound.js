// Writes the sound of the ident, which this program makes from noise and sine waves, as a WAV file:
//   node sound.js build/ident.wav [FROM TO]   (seconds)
import { writeFileSync } from 'node:fs'

const RATE = 48000
const [, , out, from = '0', to = '10'] = process.argv
const left = new Float64Array(RATE * 10)
const right = new Float64Array(RATE * 10)

let seed = 1948
const random = () => {
  seed = (seed * 1103515245 + 12345) & 0x7fffffff
  return seed / 0x40000000 - 1
}
const add = (second, sample, pan) => {
  const at = Math.floor(second * RATE)
  if (at < 0 || at >= left.length) return
  left[at] += sample * (1 - pan)
  right[at] += sample * pan
}

/** A stroke of the plane: noise in the band of a thin shaving, with the grain of the wood, from left to right. */
function stroke(start, length, level) {
  let [low, band, body] = [0, 0, 0]
  for (let i = 0; i < length * RATE; i++) {
    const x = i / RATE / length
    const speed = Math.sin(Math.PI * x) ** 0.8 * (1 - 0.35 * x)
    const grain = 0.7 + 0.3 * Math.sin(2 * Math.PI * 31 * x * length) * Math.sin(2 * Math.PI * 7.3 * x * length)
    const noise = random()
    const cutoff = 2 * Math.sin((Math.PI * (900 + 3400 * speed)) / RATE)
    low += cutoff * band
    band += cutoff * (noise - low - 0.9 * band)
    body += 0.012 * (noise - body)
    add(start + i / RATE, level * speed * (grain * band * 0.55 + body * 2.2), 0.25 + 0.5 * x)
  }
}

/** Wood or steel that is struck: a few short sine waves. */
function knock(start, level, partials, decay, pan = 0.5) {
  for (let i = 0; i < decay * 6 * RATE; i++) {
    const t = i / RATE
    const sum = partials.reduce((all, [pitch, amount]) => all + amount * Math.sin(2 * Math.PI * pitch * t) * Math.exp((-t / decay) * (1 + pitch / 2500)), 0)
    add(start + t, level * sum * Math.min(1, t * 900), pan)
  }
}

/** A soft chord of struck steel bars. */
function chord(start, pitches, level) {
  for (const [at, pitch] of pitches.entries())
    knock(start + at * 0.085, level, [[pitch, 1], [pitch * 2.76, 0.16], [pitch * 5.4, 0.05]], 0.95, 0.35 + 0.1 * at)
}

stroke(0.5, 1.75, 0.62)
knock(2.28, 0.16, [[170, 1], [410, 0.4]], 0.05, 0.7)
stroke(2.95, 1.6, 0.72)
knock(4.55, 0.12, [[150, 1], [390, 0.4]], 0.05, 0.75)
knock(6.02, 0.5, [[196, 1], [523, 0.5], [1244, 0.22]], 0.07, 0.42)
chord(6.75, [293.66, 440, 587.33, 880], 0.13)

// A small room: a few quiet echoes.
for (const [delay, level] of [[0.031, 0.16], [0.047, 0.12], [0.083, 0.07], [0.127, 0.04]]) {
  const shift = Math.floor(delay * RATE)
  for (let i = left.length - 1; i >= shift; i--) {
    left[i] += right[i - shift] * level
    right[i] += left[i - shift] * level
  }
}
const [start, end] = [Number(from) * RATE, Number(to) * RATE]
const loudest = left.reduce((most, sample, at) => Math.max(most, Math.abs(sample), Math.abs(right[at])), 0)
const data = Buffer.alloc(44 + (end - start) * 4)
data.write('RIFF', 0)
data.writeUInt32LE(data.length - 8, 4)
data.write('WAVEfmt ', 8)
for (const [at, value] of [[16, 16], [24, RATE], [28, RATE * 4], [40, data.length - 44]]) data.writeUInt32LE(value, at)
for (const [at, value] of [[20, 1], [22, 2], [32, 4], [34, 16]]) data.writeUInt16LE(value, at)
data.write('data', 36)
for (let i = start; i < end; i++) {
  const fade = Math.min(1, (i - start) / 480, (end - i) / 9600)
  data.writeInt16LE(Math.round((left[i] / loudest) * 0.82 * fade * 32767), 44 + (i - start) * 4)
  data.writeInt16LE(Math.round((right[i] / loudest) * 0.82 * fade * 32767), 46 + (i - start) * 4)
}
writeFileSync(out, data)
