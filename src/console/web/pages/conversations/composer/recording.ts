import { minuteMs } from '../../../../../base/durations.ts'
import { composer as words } from '../../../texts/en/composer.ts'
import { oggPagesOf } from './oggOpus.ts'

/** Speech in one channel is clear with so many. */
const bitsPerSecond = 16_000
/** Below 512 KB, the container too: a telephone plays so much at once (docs/upstream.md#free-form-messages). */
export const recordedMsMax = 4 * minuteMs

/** Firefox records the first one, which the platform takes as it is; Chromium and newer Safari the second one. */
const kinds = ['audio/ogg; codecs=opus', 'audio/webm; codecs=opus']

export interface Recording {
  readonly stop: () => void
  /** Once it has stopped, by itself too; null: there is nothing in it. */
  readonly recorded: Promise<File | null>
}

/**
 * Begins to record a voice message, in one channel as the platform wants it.
 * @param left nobody wants it any more: the microphone is released
 * @returns why this browser cannot, in words
 * @throws Error of the browser: no microphone may be used, none is there, or it cannot be recorded; none stays on
 */
export async function startRecording(left: AbortSignal): Promise<Recording | string> {
  if (!isSecureContext) return words.recordsByHttps
  const mimeType = kinds.find(kind => globalThis.MediaRecorder?.isTypeSupported(kind))
  if (!mimeType) return words.noOpus
  const stream = await navigator.mediaDevices.getUserMedia({ audio: true })
  const tracks = stream.getTracks()
  let context: AudioContext | undefined
  const release = () => {
    for (const track of tracks) track.stop()
    void context?.close()
  }
  const begin = () => {
    context = new AudioContext()
    const mono = new MediaStreamAudioDestinationNode(context, { channelCount: 1 })
    context.createMediaStreamSource(stream).connect(mono)
    return new MediaRecorder(mono.stream, { mimeType, audioBitsPerSecond: bitsPerSecond })
  }
  let recorder: MediaRecorder
  try {
    recorder = begin()
    recorder.start()
  } catch (error) {
    release()
    throw error
  }
  const parts: Blob[] = []
  recorder.ondataavailable = ({ data }) => parts.push(data)
  const stop = () => recorder.state === 'recording' && recorder.stop()
  const limit = setTimeout(stop, recordedMsMax)
  // The microphone is unplugged, or taken away.
  for (const track of tracks) track.onended = stop
  const recorded = new Promise(resolve => {
    recorder.onstop = resolve
  }).then(async () => {
    clearTimeout(limit)
    release()
    const whole = new Uint8Array(await new Blob(parts).arrayBuffer())
    const pages = mimeType === kinds[0] ? [whole] : oggPagesOf(whole)
    return pages && new File(pages, `${words.voiceName}.ogg`, { type: 'audio/ogg' })
  })
  left.addEventListener('abort', stop)
  if (left.aborted) stop()
  return { stop, recorded }
}
