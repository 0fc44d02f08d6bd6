import { createAddressGuard, type Resolve } from '../../../src/base/addressGuard.ts'
import { parseCidr } from '../../../src/base/network.ts'

const latin = (text: string): Uint8Array<ArrayBuffer> => Uint8Array.from(Buffer.from(text, 'latin1'))

/** The first page of Ogg (RFC 3533) with the head of its codec. */
const ogg = (head: string) => latin(`OggS\0\x02${'\0'.repeat(20)}\x01${String.fromCharCode(head.length)}${head}`)

/** The smallest files that are what they say, as far as their first bytes go. */
export const files = {
  png: latin('\x89PNG\r\n\x1a\n\0\0\0\rIHDR'),
  jpeg: latin('\xff\xd8\xff\xe0\0\x10JFIF\0\x01\x01'),
  gif: latin('GIF89a\x01\0\x01\0\0\0\0;'),
  webp: latin('RIFF\x1a\0\0\0WEBPVP8L'),
  svg: latin('<svg xmlns="http://www.w3.org/2000/svg"/>'),
  html: latin('<!DOCTYPE html><title>Sign in</title>'),
  mp4: latin('\0\0\0\x18ftypisom\0\0\x02\0isomiso2'),
  mp42: latin('\0\0\0\x18ftypmp42\0\0\0\0mp42isom'),
  threeGp: latin('\0\0\0\x18ftyp3gp4\0\0\0\x003gp4'),
  quickTime: latin('\0\0\0\x14ftypqt  \0\0\x02\0qt  '),
  heic: latin('\0\0\0\x18ftypheic\0\0\0\0mif1heic'),
  avif: latin('\0\0\0\x18ftypavif\0\0\0\0avifmif1'),
  webm: latin('\x1a\x45\xdf\xa3\x9f\x42\x86\x81\x01'),
  opus: ogg('OpusHead\x01\x01'),
  stereoOpus: ogg('OpusHead\x01\x02'),
  vorbis: ogg('\x01vorbis\0\0\0\0\x02'),
  mp3: latin('ID3\x04\0\0\0\0\0\0'),
  pdf: latin('%PDF-1.7\n%\xe2\xe3\xcf\xd3\n'),
  zip: latin('PK\x03\x04\x14\0\x06\0\x08\0\0\0!\0'),
  ole: latin('\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1\0\0\0\0'),
  text: latin('Invoice 1\r\n'),
  binary: latin('Invoice\0\x01\x02'),
  empty: latin(''),
} as const

/** A guard that opens these networks; names are looked up in the table and nowhere else. */
export function guardOf(
  allowed: readonly string[] = [],
  names: Readonly<Record<string, readonly string[]>> = {},
  own: readonly string[] = [],
) {
  const lookups: string[] = []
  const resolve = ((name: string, _options: unknown, callback: (error: Error | null, addresses?: unknown) => void) => {
    lookups.push(name)
    const addresses = names[name]
    if (!addresses) return callback(Object.assign(new Error(`getaddrinfo ENOTFOUND ${name}`), { code: 'ENOTFOUND' }))
    return callback(
      null,
      addresses.map(address => ({ address, family: address.includes(':') ? 6 : 4 })),
    )
  }) as unknown as Resolve
  const networks = allowed.map(text => {
    const cidr = parseCidr(text)
    if (!cidr) throw new Error(`not a network: ${text}`)
    return cidr
  })
  return { guard: createAddressGuard(networks, resolve, () => own), lookups }
}

/** Memory for every file. */
export const ample = async () => true

export const loopback = ['127.0.0.0/8']

/** A file server on this machine; what it answers is the test's. */
export function startFiles(answer: (path: string, request: Request) => Response | Promise<Response>) {
  const requests: string[] = []
  const server = Bun.serve({
    port: 0,
    hostname: '127.0.0.1',
    fetch(request) {
      const { pathname } = new URL(request.url)
      requests.push(pathname)
      return answer(pathname, request)
    },
  })
  return {
    url: `http://127.0.0.1:${server.port}`,
    port: server.port,
    requests,
    stop: () => server.stop(true),
  }
}

export type Files = ReturnType<typeof startFiles>
