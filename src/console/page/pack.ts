import { gunzipSync } from 'node:zlib'
import type { Language } from '../../../db/contract/preferences.ts'

/** A file of the console's page, as it is served. */
export interface Asset {
  /** Below `/console/assets/`; of the document itself, {@link documentName}. */
  readonly name: string
  readonly type: string
  /** The content in each coding that there is; `identity` or `gzip` is always one of them. */
  readonly contents: Readonly<Partial<Record<Coding, Uint8Array<ArrayBuffer>>>>
}

/** The codings of RFC 9110 8.4.1 that browsers take, the smaller content first. */
export const codings = ['br', 'gzip', 'identity'] as const
export type Coding = (typeof codings)[number]

/** The document of a language: the page that loads all the others. */
export const documentName = (language: Language) => `index.${language}.html`

/** @returns the content as it is */
export const identityOf = ({ contents }: Pick<Asset, 'contents'>): Uint8Array<ArrayBuffer> =>
  contents.identity ?? new Uint8Array(gunzipSync(contents.gzip ?? new Uint8Array()))

/** The length of the list comes first, so that the list can be read alone. */
const lengthBytes = 4

interface Entry {
  readonly name: string
  readonly type: string
  readonly sizes: Readonly<Partial<Record<Coding, number>>>
}

/** Writes all files as one, because an executable can only embed files that it names. */
export function pack(assets: readonly Asset[]): Uint8Array<ArrayBuffer> {
  const entries = assets.map(({ name, type, contents }): Entry => {
    const sizes = codings.flatMap(coding => (contents[coding] ? [[coding, contents[coding].length] as const] : []))
    return { name, type, sizes: Object.fromEntries(sizes) }
  })
  const list = new TextEncoder().encode(JSON.stringify(entries))
  const length = new Uint8Array(lengthBytes)
  new DataView(length.buffer).setUint32(0, list.length)
  const bodies = assets.flatMap(({ contents }) => codings.flatMap(coding => contents[coding] ?? []))
  return new Uint8Array(Bun.concatArrayBuffers([length, list, ...bodies]))
}

/** @throws Error when it is not what {@link pack} wrote */
export function unpack(bytes: Uint8Array<ArrayBuffer>): Asset[] {
  const listBytes = new DataView(bytes.buffer, bytes.byteOffset).getUint32(0)
  let at = lengthBytes + listBytes
  const entries: Entry[] = JSON.parse(new TextDecoder().decode(bytes.subarray(lengthBytes, at)))
  return entries.map(({ name, type, sizes }) => {
    const contents: Partial<Record<Coding, Uint8Array<ArrayBuffer>>> = {}
    for (const coding of codings) {
      const size = sizes[coding]
      if (size === undefined) continue
      contents[coding] = bytes.subarray(at, at + size)
      at += size
    }
    return { name, type, contents }
  })
}
