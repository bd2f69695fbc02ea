/** The part of the WebAssembly JavaScript interface that runs a program without imports; Node's types lack it. */
declare const WebAssembly: {
  Module: new (bytes: Uint8Array) => object
  Instance: new (module: object) => { readonly exports: Readonly<Record<string, unknown>> }
  Memory: new (size: { initial: number }) => { readonly buffer: ArrayBuffer }
}
