/* A brand folder in the private file system of a browser, which the editor gets instead of a folder on disk. */

const brandFolder = async () => (await navigator.storage.getDirectory()).getDirectoryHandle('brand', { create: true })

window.pickBrand = files => {
  window.showDirectoryPicker = async () => {
    const root = await brandFolder()
    for (const [path, text] of Object.entries(files)) {
      const names = path.split('/')
      let folder = root
      for (const name of names.slice(0, -1)) folder = await folder.getDirectoryHandle(name, { create: true })
      const file = await folder.getFileHandle(names.at(-1), { create: true })
      const writer = await file.createWritable()
      await writer.write(text)
      await writer.close()
    }
    return root
  }
}

/** The files, keyed by path, with their byte order marks. Files whose name begins with a dot are being written. */
window.readBrand = async () => {
  const texts = {}
  const read = async (folder, path) => {
    for await (const handle of folder.values()) {
      if (handle.name.startsWith('.')) continue
      if (handle.kind === 'directory') await read(handle, `${path}${handle.name}/`)
      else {
        const bytes = await (await handle.getFile()).arrayBuffer()
        texts[path + handle.name] = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes)
      }
    }
  }
  await read(await brandFolder(), '')
  return texts
}
