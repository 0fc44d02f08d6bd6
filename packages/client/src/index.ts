export { type ClientOptions, type SendOptions, type TemplateFilter, WaypostClient } from './client.ts'
export { GatewayRefusal, MessageFailed, NoAnswer, WaitTimeout } from './errors.ts'
export type { Message, SendBody, Template } from './types.ts'
export type { WaitedStatus, WaitOptions } from './wait.ts'
