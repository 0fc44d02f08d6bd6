import { sha256 } from '../../../base/crypto.ts'

/** A file of the guides, ready to be served; compressed and in base64, so that all of them are one JSON. */
export interface BuiltFile {
  readonly name: string
  readonly type: string
  readonly packed: string
}

/** Changed content has another one. */
export const versionOf = ({ packed }: Pick<BuiltFile, 'packed'>): string => sha256(packed).slice(0, 16)

/** Of the page for addresses that do not exist. */
export const missingName = '404'
/** Its own address says nothing about where the others are: this stands for it. */
export const baseMark = 'BASE/'
