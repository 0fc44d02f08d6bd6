/** One accepted message on its way to the upstream. Flat: it crosses a thread. */
export interface SendJob {
  readonly messageId: string
  readonly channelId: string
  readonly lineId: string
  readonly upstreamPhoneId: string
  readonly accessToken: string
  readonly recipient: string
  /** The upstream request body. */
  readonly payload: string
  readonly perSecond: number
  readonly pairSeconds: number
  /** Whether the disk already says that it may have been handed over; else its turn has to be announced first. */
  readonly isDispatched: boolean
}
