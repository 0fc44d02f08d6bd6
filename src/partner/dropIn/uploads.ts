import type { Channel } from '../../../db/contract/records.ts'
import { isLongerThan } from '../../base/chars.ts'
import { openFromAddress, sealInAddress, type Vault } from '../../base/crypto.ts'
import { GatewayError, type Issue, invalid } from '../../base/errors.ts'
import { isText, type JsonObject, parseJson } from '../../base/json.ts'
import { mediaBytesMax } from '../../base/upstreamLimits.ts'
import type { CallRequest } from '../../graph/call.ts'
import { readSession, uploadRead, uploadStart, uploadWrite } from '../../graph/templateCalls.ts'
import { readFileBody } from '../../http/fileBody.ts'
import { filesMibMax, uploadMsMax } from '../../http/limits.ts'
import { UnderWay } from '../../http/underWay.ts'
import { sendableType } from '../../media/outgoing/types.ts'
import type { PartnerCaller } from '../caller.ts'
import type { Outcome } from '../endpoint.ts'
import { accountsOf, lineNamed } from './lines.ts'
import { type Asked, askPlatform, bodyOf, type PassingParts, queryOf } from './passing.ts'
import { isUnknownObject, missing, no, noSuchObject } from './refusals.ts'
import type { PathContext } from './work.ts'

export interface UploadParts extends PassingParts {
  readonly vault: Vault
}

/** An upload that a workspace has begun. */
interface Session {
  readonly channel: Channel
  /** The platform's own id. */
  readonly session: string
  /** Of the file, in bytes. */
  readonly length: number
}

/** An id of ours, or what a client has made of it in an address. */
const idPattern = /^upload(?::|%3A)([\w-]{1,2000})$/i
/** @returns whether an id names an upload, and nothing else */
export const isUpload = (id: string): boolean => /^upload(:|%3A)/i.test(id)

/** What our ids are sealed for. */
const purpose = 'dropInUpload'

const mib = 1_048_576
/** As that of files that are sent. */
const fileNameCharsMax = 240
const offsetPattern = /^\d{1,10}$/

const unknownUpload: Outcome = no({
  ...noSuchObject,
  details: {
    hint: 'The id is none of an upload that a key of the same workspace and lines has begun here, and that is open.',
  },
})

const severalApps: Outcome = no({
  reason: 'VALIDATION_ERROR',
  message:
    'The lines of the API key belong to several apps of the platform. Where the id of the app stands, write that of ' +
    'the account that the template is for, or of one of its lines.',
})

/**
 * Uploads of examples for headers of templates (docs/drop-in.md#examples-of-templates). The session is the platform's.
 * Our id is its id, sealed with the account, which is of one workspace: any instance can tell whose it is.
 */
export function graphUploads(parts: UploadParts) {
  const { read, credentials, vault, clock } = parts
  const bodies = new UnderWay(filesMibMax, 'Too many files are being uploaded.')

  /** @param id of the app, as its client has it; or what is the caller's: an account, a line */
  async function accountFor(caller: PartnerCaller, id: string): Promise<Channel | Outcome> {
    const accounts = await accountsOf(read, caller)
    const line = await lineNamed(caller, id)
    const named = accounts.filter(
      ({ id: channelId, accountId, appId }) => [appId, accountId].includes(id) || channelId === line?.channelId,
    )
    const [first, ...others] = named.length > 0 ? named : accounts
    if (!first) return missing
    const tokenOf = (account: Channel) => credentials.open(account, 'accessToken')
    const isOfFirst = (account: Channel) =>
      tokenOf(account) === tokenOf(first) || (account.appId !== null && account.appId === first.appId)
    return others.every(isOfFirst) ? first : severalApps
  }

  async function sessionNamed(caller: PartnerCaller, id: string): Promise<Session | null> {
    const [, sealed = ''] = idPattern.exec(id) ?? []
    const opened = openFromAddress(vault, sealed, purpose)
    if (opened === null) return null
    const { channelId, ...session } = parseJson(opened) as Omit<Session, 'channel'> & { readonly channelId: string }
    const channel = (await accountsOf(read, caller)).find(account => account.id === channelId)
    return channel ? { channel, ...session } : null
  }

  /** What the platform does not know any more has ended. */
  async function askOf(
    caller: PartnerCaller,
    id: string,
    { channel }: Session,
    call: Omit<CallRequest, 'accessToken'>,
  ) {
    const outcome = await askPlatform(parts, caller, channel, call, answer => progress(id, answer))
    return !outcome.ok && isUnknownObject(outcome.refusal) ? unknownUpload : outcome
  }

  return {
    async startUpload(caller: PartnerCaller, { request, id }: PathContext): Promise<Outcome> {
      const account = await accountFor(caller, id)
      if ('ok' in account) return account
      const { file, issues } = await described({ caller, request }, parts)
      if (issues.length > 0) throw new GatewayError(invalid(issues))
      // Where no id is set, the platform knows the app by the token.
      const call = uploadStart(account.appId ?? 'app', file)
      return askPlatform(parts, caller, account, call, answer => {
        const begun = readSession(answer)
        if (!begun) return null
        const sealed = JSON.stringify({ channelId: account.id, length: file.length, ...begun })
        return { id: `upload:${sealInAddress(vault, sealed, purpose)}` }
      })
    },

    async readUpload(caller: PartnerCaller, { id }: PathContext): Promise<Outcome> {
      const upload = await sessionNamed(caller, id)
      return upload ? askOf(caller, id, upload, uploadRead(upload.session)) : unknownUpload
    },

    async writeUpload(caller: PartnerCaller, { request, id }: PathContext): Promise<Outcome> {
      const upload = await sessionNamed(caller, id)
      if (!upload) return unknownUpload
      const { session, length } = upload
      const offset = request.headers.get('file_offset')?.trim() ?? '0'
      if (!offsetPattern.test(offset))
        throw new GatewayError(invalid([{ path: '/file_offset', message: 'must be a number of bytes' }]))
      if (request.headers.get('content-type')?.startsWith('multipart/'))
        throw new GatewayError(invalid([{ path: '', message: 'must be the file itself, not a form with it' }]))
      const write = async () => {
        const bytes = await caller.body((whole, room) =>
          readFileBody(whole, clock, { bytesMax: length, msMax: uploadMsMax, room }),
        )
        return askOf(caller, id, upload, uploadWrite(session, offset, bytes))
      }
      const given = Number(request.headers.get('content-length') ?? length)
      const written = await bodies.run(caller.workspaceId, write, Math.ceil(Math.min(given || 1, length) / mib))
      return 'reason' in written ? no(written) : written
    },
  }
}

/** @returns how far an upload is, as the platform says it: with its handle, or with how much has come */
const progress = (id: string, { h, file_offset }: JsonObject): JsonObject | null =>
  isText(h) ? { h } : file_offset === undefined ? null : { id, file_offset }

/** Reads what is to be uploaded, from the query or a body. What else clients say is nothing that the platform knows. */
async function described(asked: Asked, { clock }: Pick<PassingParts, 'clock'>) {
  const of = 'other'
  const given: JsonObject = { ...Object.fromEntries(queryOf(asked, { of })), ...(await bodyOf(asked, clock, { of })) }
  const name = given.file_name ?? null
  const type = isText(given.file_type) ? given.file_type : ''
  const length = String(given.file_length ?? '')
  // What is of a type that the platform refuses has the largest bound: the platform says which it takes.
  const bytesMax = mediaBytesMax[sendableType(type) ?? 'document']
  const issues: Issue[] = []
  if (name !== null && (!isText(name) || isLongerThan(name, fileNameCharsMax)))
    issues.push({ path: '/file_name', message: `must be a text of at most ${fileNameCharsMax} characters` })
  if (type === '') issues.push({ path: '/file_type', message: 'is required: the type of the file, such as image/png' })
  if (!/^[1-9]\d{0,9}$/.test(length) || Number(length) > bytesMax)
    issues.push({ path: '/file_length', message: `must be the size of the file in bytes, from 1 to ${bytesMax}` })
  return { file: { name: isText(name) ? name : null, type, length: Number(length) }, issues }
}
