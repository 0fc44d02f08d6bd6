import { afterEach, expect, test } from 'bun:test'
import { resolve } from 'node:path'

/** Not by a static import: browser code is type-checked by itself. */
const path = resolve(import.meta.dir, '../../src/console/web/pages/conversations/composer/recording.ts')

const kept = new Map<string, PropertyDescriptor | undefined>()

/** What a browser has, for one test. */
function give(name: string, value: unknown, of: object = globalThis): void {
  if (of === globalThis && !kept.has(name)) kept.set(name, Object.getOwnPropertyDescriptor(globalThis, name))
  Object.defineProperty(of, name, { value, configurable: true, writable: true })
}

afterEach(() => {
  for (const [name, before] of kept) {
    Reflect.deleteProperty(globalThis, name)
    if (before) Object.defineProperty(globalThis, name, before)
  }
  kept.clear()
})

test('a recorder that cannot be made leaves no microphone on', async () => {
  const ended: string[] = []
  const track = { stop: () => ended.push('track') }
  class Context {
    createMediaStreamSource = () => ({ connect() {} })
    close = async () => ended.push('sound')
  }
  class Recorder {
    static isTypeSupported = () => true
    constructor() {
      throw new DOMException('no such encoder', 'NotSupportedError')
    }
  }
  give('isSecureContext', true)
  give('navigator', { mediaDevices: { getUserMedia: async () => ({ getTracks: () => [track] }) } })
  give('AudioContext', Context)
  give('MediaStreamAudioDestinationNode', class {})
  give('MediaRecorder', Recorder)
  const { startRecording } = (await import(path)) as { startRecording: (left: AbortSignal) => Promise<unknown> }
  const failed = await startRecording(new AbortController().signal).catch((error: unknown) => error)
  expect(failed).toBeInstanceOf(DOMException)
  expect(ended).toEqual(['track', 'sound'])
})
