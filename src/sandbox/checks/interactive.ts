import { isObject, isText } from '../../base/json.ts'
import { furtherForms, interactiveForms } from '../../forms/interactive.ts'
import { type Mismatch, mismatchesIn, type Path } from '../../forms/mismatches.ts'
import { headerFileKinds, isHttpAddress } from '../state/media.ts'
import { PROBLEMS } from './problems.ts'
import { firstRefusal, type Refusal } from './refusals.ts'

const forms = { ...interactiveForms, ...furtherForms }

type CheckReference = (kind: string, reference: unknown) => Refusal | undefined

/** Checks an `interactive` object: its kind and parts, then the fields of each part in the order of its form. */
export function checkSentInteractive(input: unknown, checkMedia: CheckReference): Refusal | undefined {
  if (!isObject(input)) return PROBLEMS.notAnObject('interactive')
  const { type, action } = input
  const form = isText(type) && Object.hasOwn(forms, type) ? forms[type] : undefined
  if (!form || !isText(type)) return PROBLEMS.notOneOf("interactive['type']", Object.keys(forms))
  if (input.body !== undefined && !isObject(input.body)) return PROBLEMS.notAnObject("interactive['body']")
  if (!isObject(action)) return PROBLEMS.missing("The parameter interactive['action'] is required.")
  const mismatches = ['body', 'footer', 'header', 'action'].flatMap(name => {
    const part = form[name]
    return part ? mismatchesIn({ [name]: part }, input).toSorted(inTurn) : []
  })
  const other = type === 'carousel' ? Object.keys(action).find(name => name !== 'cards') : undefined
  if (other !== undefined) return PROBLEMS.unexpectedKey("interactive['action']", other)
  return firstRefusal(mismatches, mismatch => refusalOf(mismatch, type, checkMedia))
}

/** What concerns several elements of a list comes before, or behind, what each of them has. */
const turns: Partial<Record<Mismatch['rule'], number>> = { misplaced: -1, differs: -1, whole: -1, twice: 1, inAll: 1 }
const inTurn = (one: Mismatch, other: Mismatch) => (turns[one.rule] ?? 0) - (turns[other.rule] ?? 0)

/** Where no rule leads to the code, by kind, field and rule. No source says why; null: it is taken. */
const ownCodes: Readonly<Record<string, 100 | 131008 | 131009 | null>> = {
  'list action.sections.rows few': 131008,
  'product_list action.sections noList': 131009,
  'product_list action.sections missing': 131009,
  'product_list action.sections.product_items noList': 131009,
  'product_list action.sections.product_items missing': 131009,
  'carousel action.cards noList': 131009,
  'carousel action.cards missing': 131009,
  'carousel action.cards noObject': 131009,
  'carousel action.cards.header missing': 100,
  'carousel action.cards.action noObject': 100,
  'carousel action.cards.action missing': 100,
  'voice_call action.parameters noObject': 100,
  'voice_call action.parameters.payload empty': null,
  'flow action.parameters.flow_action_payload noObject': 100,
  'flow action.parameters.flow_token empty': null,
  'catalog_message action.parameters noObject': null,
  'catalog_message action.parameters.thumbnail_product_retailer_id noText': null,
  'catalog_message action.parameters.thumbnail_product_retailer_id empty': null,
}

const written = (path: Path) => `interactive${path.map(name => (isText(name) ? `['${name}']` : `[${name}]`)).join('')}`

function refusalOf(mismatch: Mismatch, kind: string, checkMedia: CheckReference): Refusal | undefined {
  const { rule, value } = mismatch
  const path = written(mismatch.path)
  const code = ownCodes[`${kind} ${mismatch.path.filter(isText).join('.')} ${rule}`]
  if (code === null) return undefined
  if (code !== undefined) return { code, details: `${path}: ${rule}` }
  switch (mismatch.rule) {
    case 'missing':
      if (mismatch.form.is === 'word') return PROBLEMS.notOneOf(path, mismatch.form.of)
      return mismatch.form.is === 'whole'
        ? PROBLEMS.invalid(`${path} is not valid`)
        : PROBLEMS.missing(`The parameter ${path} is required.`)
    case 'noObject':
      return mismatch.form.is === 'choice'
        ? PROBLEMS.notAnObject(path)
        : PROBLEMS.missing(`The parameter ${path} is required.`)
    case 'noList':
      return PROBLEMS.missing(`The parameter ${path} is required.`)
    case 'noText':
      return PROBLEMS.wrongType(path, 'a string')
    case 'word':
      return kind === 'list' && headerFileKinds.has(String(value))
        ? PROBLEMS.invalid('interactive: a list takes a text header only')
        : PROBLEMS.notOneOf(path, mismatch.of)
    case 'none':
    case 'unsure':
      return PROBLEMS.unexpectedKey('interactive', String(mismatch.path.at(-1)))
    case 'file':
      return checkMedia(mismatch.kind, value)
    case 'address':
      return isHttpAddress(String(value)) ? undefined : PROBLEMS.invalid(`${path} is not a valid address`)
    // One sample of the upstream passes the data as JSON text.
    case 'data':
      return isText(value) ? undefined : PROBLEMS.invalid(`${path} must be a non-empty object`)
    case 'few':
    case 'many':
      return PROBLEMS.invalid(countWords(String(mismatch.path.at(-1)), mismatch.min, mismatch.max))
    case 'inAll':
      return PROBLEMS.invalid(`Total ${mismatch.what} count exceed max allowed count: ${mismatch.max}`)
    case 'whole':
      return PROBLEMS.invalid(`${path}: ${mismatch.min} to ${mismatch.max}`)
    case 'long':
      return PROBLEMS.invalid(`${path}: length should be at most ${mismatch.max}`)
    case 'breaks':
    case 'firstMax':
      return PROBLEMS.invalid(`${path}: ${rule}, at most ${mismatch.max}`)
    case 'empty':
      return PROBLEMS.invalid(`${path} cannot be empty`)
    case 'emoji':
    case 'misplaced':
    case 'twice':
    case 'differs':
    case 'either':
      return PROBLEMS.invalid(`${path}: ${rule}`)
  }
}

/** The sentence was seen with buttons. */
const countWords = (what: string, min: number, max: number) =>
  `Invalid ${what} count. Min allowed ${what}: ${min}, Max allowed ${what}: ${max}`
