/** An Adobe Swatch Exchange swatch: a colour model of four characters, and values from 0 to 1. */
export type TestSwatch = { name: string; model: string; values: readonly number[]; kind?: 'global' | 'spot' | 'normal' }

/** An Adobe Swatch Exchange file with these groups; the group with the empty name contains ungrouped swatches. */
export function swatchFile(groups: Readonly<Record<string, readonly TestSwatch[]>>): Buffer {
  const blocks = Object.entries(groups).flatMap(([name, swatches]) => {
    const colors = swatches.map(swatch => block(0x0001, colorBody(swatch)))
    return name === '' ? colors : [block(0xc001, text(name)), ...colors, block(0xc002, Buffer.alloc(0))]
  })
  const head = Buffer.alloc(12)
  head.write('ASEF')
  head.writeUInt16BE(1, 4)
  head.writeUInt32BE(blocks.length, 8)
  return Buffer.concat([head, ...blocks])
}

function block(type: number, body: Buffer): Buffer {
  const head = Buffer.alloc(6)
  head.writeUInt16BE(type)
  head.writeUInt32BE(body.length, 2)
  return Buffer.concat([head, body])
}

function text(name: string): Buffer {
  const units = Buffer.from(`${name}\0`, 'utf16le').swap16()
  const length = Buffer.alloc(2)
  length.writeUInt16BE(units.length / 2)
  return Buffer.concat([length, units])
}

function colorBody({ name, model, values, kind = 'global' }: TestSwatch): Buffer {
  const floats = Buffer.alloc(values.length * 4)
  for (const [at, value] of values.entries()) floats.writeFloatBE(value, at * 4)
  const last = Buffer.alloc(2)
  last.writeUInt16BE({ global: 0, spot: 1, normal: 2 }[kind])
  return Buffer.concat([text(name), Buffer.from(model, 'latin1'), floats, last])
}
