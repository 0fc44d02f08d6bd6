import { messageOf } from '../base/errors.ts'
import type { Cidr } from '../base/network.ts'
import type { Attempt } from '../graph/answer.ts'
import type { ChannelSettings } from '../graph/call.ts'
import type { ChannelClient } from '../graph/client.ts'
import type { MediaOrder, Upload } from '../media/outgoing/upload.ts'
import type { StorageSettings } from '../media/storage.ts'
import { type Outgoing, type Served, serveEach } from '../threads/worker.ts'
import type { Transport } from '../transport/transport.ts'

/** What a sender thread is started with. */
export interface SenderOptions extends ChannelSettings {
  readonly mediaAllowedNetworks: readonly Cidr[]
  readonly storage: StorageSettings
}

/** One attempt for one message. Flat, because it is sent to another thread. */
export interface SendJob {
  readonly upstreamPhoneId: string
  readonly accessToken: string
  /** The upstream request body. */
  readonly payload: string
}

/** The verbs of a sender thread. Any thread takes any job: threads keep no queue and know no pace. */
export interface SenderVerbs {
  /** Makes one attempt. */
  send(job: SendJob): Promise<Attempt>
  /** Uploads a file to a line. */
  uploadMedia(order: MediaOrder): Promise<Upload>
}

/** @returns the outcome of an attempt that failed by a defect of ours, possibly after its first byte was sent */
export const lostBy = (error: unknown): Attempt => ({ kind: 'lost', why: messageOf(error) })

export function createSender(parts: {
  client: Pick<ChannelClient, 'send'>
  upload: SenderVerbs['uploadMedia']
  transport: Pick<Transport, 'close'>
  outgoing: Pick<Outgoing, 'reply'>
}): Served {
  const { client, upload, transport, outgoing } = parts
  const verbs: SenderVerbs = {
    send: job => client.send(job).catch(lostBy),
    uploadMedia: order => upload(order),
  }
  const calls = serveEach(verbs, outgoing)
  return {
    ...calls,
    /** Finishes accepted jobs, each within its time limit. */
    async stop() {
      await calls.stop()
      transport.close()
    },
  }
}
