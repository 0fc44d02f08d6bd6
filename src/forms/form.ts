/*
 * What the upstream takes, as data: who checks by it says what is wrong in words of its own. The gateway names every
 * problem (src/interactive), the stand-in answers the first one with a code (src/sandbox/checks).
 */

/** The fields of an object, in the order in which they are checked. Others may stand beside them. */
export type Fields = Readonly<Record<string, Form>>

/** What is taken in one place. */
export type Form = TextForm | WordForm | WholeForm | FileForm | DataForm | ObjectForm | ChoiceForm | ListForm | NoneForm

interface Place {
  /** It may be left out; `alone`: where it stands in the only element of its list. */
  readonly optional?: true | 'alone' | undefined
}

export interface TextForm extends Place {
  readonly is: 'text'
  readonly charsMax?: number
  /** Of a text without a line break: 0. */
  readonly breaksMax?: number
  /** No other element has the same. */
  readonly unique?: true
  /** Exactly one of this field and that one is given. */
  readonly or?: string
  /** Empty is as if it were left out. */
  readonly mayBeEmpty?: true
  readonly noEmoji?: true
  /** A web address. */
  readonly isAddress?: true
}

/** One of a few words. `open`: the upstream may know others by now. */
export interface WordForm extends Place {
  readonly is: 'word'
  readonly of: readonly string[]
  readonly open?: true
}

/** A whole number; `last`: the place of the last element of its list. */
export interface WholeForm extends Place {
  readonly is: 'whole'
  readonly min: number
  readonly max: number | 'last'
  readonly unique?: true
}

/** An uploaded file by `id`, or an address of one by `link`. */
export interface FileForm extends Place {
  readonly is: 'file'
  readonly kind: string
}

/** An object that is not empty, whose fields are the sender's. */
export interface DataForm extends Place {
  readonly is: 'data'
}

export interface ObjectForm extends Place {
  readonly is: 'object'
  readonly fields: Fields
  /** Where this field is given, it stands in the place of the others. */
  readonly instead?: { readonly name: string; readonly form: ListForm }
}

/** An object whose `type` says which fields it has. */
export interface ChoiceForm extends Place {
  readonly is: 'choice'
  readonly of: Readonly<Record<string, Fields>>
  /** What each of them has, before its type. */
  readonly before?: Fields
  /** As which one it is read whose type is not known. */
  readonly otherwise?: string
}

export interface ListForm extends Place {
  readonly is: 'list'
  readonly min: number
  readonly max: number
  readonly of: Form
  /** Where all elements have the same value, or as many of them: the names that lead there. */
  readonly same?: readonly (readonly string[])[]
  /** Elements of this type stand first. Where there is one, the list may be longer. */
  readonly first?: { readonly type: string; readonly max: number; readonly listMax: number }
  /** How many elements the lists of this name may have in all elements together. */
  readonly inAll?: { readonly of: string; readonly what: string; readonly max: number }
}

/** It is not taken; `unsure`: no source says whether it is. */
export interface NoneForm {
  readonly is: 'none'
  readonly optional: true
  readonly unsure?: Form
}
