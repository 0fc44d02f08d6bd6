import { basename } from 'node:path'
import type { Command } from 'commander'
import { answerText } from '../base/answerText.ts'
import { messageOf } from '../base/errors.ts'
import { field, isObject, list, parseJson, text as textIn } from '../base/json.ts'
import type { Environment } from '../config/config.ts'
import { loadConfig } from '../config/config.ts'
import { addressOf, askGateway, type GatewayState } from '../doctor/ownGateway.ts'
import { partnerPrefix } from '../http/calls.ts'
import { messageTypes } from '../message/words.ts'
import { sendSchemas } from '../operations/sends/sendSchema.ts'
import { addVerb, flagOf } from './command.ts'
import { CommandError, UsageError } from './failure.ts'
import { httpUrl, type Input, oneOf, optional, type Reader, readerOf, text, toggle } from './inputs.ts'
import { commandLine, report } from './output.ts'
import type { Workbench } from './session.ts'

/** Far more than a gateway answers to one message. */
const answerBytesMax = 1_048_576
/** A file has five minutes at the gateway, and a send some 10 seconds. */
const answerMsMax = 330_000

/** The field of a send, as the schemas have it. */
interface Field {
  readonly type?: string
  readonly description?: string
  readonly enum?: readonly string[]
}

const named = Object.values(sendSchemas)
  .flatMap(({ properties }) => Object.entries<Field>(properties))
  .filter(([name]) => name !== 'type')
/**
 * Every field of every type, once: the options of the command, whose names are those of the API. Of a field of several
 * types, the first one has the plainest words.
 */
const fields: ReadonlyMap<string, Field> = new Map([...new Map(named.reverse())].reverse())

/** The first sentence, without the marks of Markdown. */
const shortly = ({ description = '' }: Field) => (description.split(/[.;] |\.$/)[0] ?? '').replaceAll('`', '')

const number = readerOf('number', 'It must be a number, as 52.5163.', given =>
  given.trim() !== '' && Number.isFinite(Number(given)) ? Number(given) : null,
)
const json: Reader<unknown> = readerOf('json', 'It must be JSON, as in docs/partner-api.md.', given => {
  const value = parseJson(given)
  return value === undefined ? null : value
})

function inputOf(of: Field): Input<unknown> {
  const help = shortly(of)
  if (of.enum) return optional(oneOf('word', of.enum), help)
  if (of.type === 'boolean') return toggle(help)
  if (of.type === 'number' || of.type === 'integer') return optional(number, help)
  return of.type === 'string' ? optional(text('text'), help) : optional(json, `${help} (JSON)`)
}

const fieldInputs = Object.fromEntries([...fields].map(([name, of]) => [name, inputOf(of)]))

/** `waypost message send`: a send of each type through the gateway, as a caller makes it. */
export function sendCommand(message: Command, { environment }: Workbench): void {
  addVerb(message, {
    name: 'send',
    summary: 'send a message of any type by an API key: --phone, and --content, --file or the fields of a --type',
    example: 'message send --phone +4915112345678 --file photo.jpg --caption "Your order, packed."',
    inputs: {
      type: optional(oneOf('type', messageTypes), 'text with --content alone, and with --file what the file is'),
      file: optional(text('path'), 'a file of this machine, kept by the gateway first (POST /media)'),
      url: optional(httpUrl, 'of a gateway elsewhere; else WAYPOST_URL, else the gateway of this machine'),
      ...fieldInputs,
    },
    async run({ type, file, url, ...given }) {
      const gateway = gatewayOf(environment(), url)
      // A switch that was not given says nothing.
      const body = Object.fromEntries(
        Object.entries(given).filter(([, value]) => value !== undefined && value !== false),
      )
      const fallback = body.content === undefined ? undefined : 'text'
      const kept = file === undefined ? null : await upload(gateway, file)
      const asked = type ?? textIn(field(kept, 'type')) ?? fallback
      if (asked === undefined) throw new UsageError('Say what to send: --content, --file, or --type with its fields')
      const ofFile = kept !== null && {
        mediaId: field(kept, 'id'),
        ...(asked === 'document' && file !== undefined && { fileName: basename(file) }),
      }
      const data = await call(gateway, 'messages/send', JSON.stringify({ type: asked, ...ofFile, ...body }))
      const id = String(field(data, 'id'))
      const status = String(field(data, 'status'))
      return {
        data,
        text: report(
          `Sent as ${asked}: it is ${status}`,
          { id },
          gateway.ask ? commandLine(`message show ${id}`) : undefined,
        ),
      }
    },
  })
}

const keyNames = 'WAYPOST_API_KEY and WAYPOST_API_SECRET'

interface Gateway {
  readonly url: string
  /** Asks how it is; null: it is elsewhere. The database of one of these settings is that of the other commands. */
  readonly ask: (() => Promise<GatewayState>) | null
  readonly key: Readonly<Record<'apiKey' | 'apiSecret', string>>
}

function gatewayOf(environment: Environment, url: string | undefined): Gateway {
  const { WAYPOST_API_KEY: apiKey, WAYPOST_API_SECRET: apiSecret, WAYPOST_URL: known } = environment
  if (!apiKey || !apiSecret)
    throw new UsageError(`${keyNames} must be in the environment; ${commandLine('key create')} makes a key`)
  const elsewhere = url ?? known
  const key = { apiKey, apiSecret }
  if (elsewhere !== undefined) return { url: elsewhere.replace(/\/$/, ''), ask: null, key }
  const config = loadConfig(environment)
  return { url: addressOf(config), ask: () => askGateway(config), key }
}

/** @returns what the gateway answers of the file */
async function upload(gateway: Gateway, path: string): Promise<unknown> {
  const file = Bun.file(path)
  if (!(await file.exists())) throw new UsageError(`--file ${path}: there is no such file`)
  const form = new FormData()
  form.append('file', file, basename(path))
  return call(gateway, 'media', form)
}

/** @returns the words of `health`; null when it is ready, or elsewhere */
async function whyNotReady({ ask }: Gateway): Promise<string | null> {
  const state = await ask?.()
  return state && state.kind !== 'ready' ? state.words : null
}

/** @returns the data of the answer. @throws UsageError for a wrong input, CommandError for what else was refused */
async function call(gateway: Gateway, path: string, body: string | FormData): Promise<unknown> {
  const { url, key } = gateway
  const headers = { ...key, ...(typeof body === 'string' && { 'content-type': 'application/json' }) }
  const signal = AbortSignal.timeout(answerMsMax)
  const address = `${url}${partnerPrefix}/${path}`
  const response = await fetch(address, {
    proxy: false,
    method: 'POST',
    headers,
    body,
    redirect: 'manual',
    signal,
  }).catch(async (error: unknown) => {
    const why = await whyNotReady(gateway)
    throw new CommandError(why ?? `The gateway at ${url} does not answer (${messageOf(error)}). Is it running?`)
  })
  const cutOff = () => {
    throw new CommandError(`The answer of ${url} was cut off, or took too long: whether it was done is not known`)
  }
  const answer = parseJson((await answerText(response, answerBytesMax).catch(cutOff)) ?? '')
  const data = field(answer, 'data')
  if (response.ok && isObject(data)) return data
  if (response.status === 401) throw new CommandError(`${keyNames} are no key of the gateway at ${url}`)
  const told = textIn(field(answer, 'message'))?.replace(/\.$/, '')
  const said = told ?? (await whyNotReady(gateway)) ?? `${url} answered ${response.status}`
  const issues = list(field(field(answer, 'details'), 'issues')).map(issueText)
  if (issues.length > 0) throw new UsageError(issues.join('; '))
  throw new CommandError(said, { code: response.status === 502 ? 'UPSTREAM_ERROR' : 'FAILED' })
}

/** A field is named as it is typed. */
function issueText(issue: unknown): string {
  const [, name = '', ...rest] = String(field(issue, 'path')).split('/')
  const flag = fields.has(name) ? flagOf(name) : name === 'file' ? '--file' : `/${name}`
  return `${[flag, ...rest].join('/')} ${field(issue, 'message')}`
}
