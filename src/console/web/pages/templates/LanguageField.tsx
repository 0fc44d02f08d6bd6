import { Autocomplete } from '@mantine/core'
import { texts } from '../../texts/texts.ts'
import { type DraftState, fieldOf } from './draftState.ts'

/** Codes that the upstream takes, to choose from; any other can be typed. */
const codes =
  'af sq ar az bn bg ca zh_CN zh_HK zh_TW hr cs da nl en en_GB en_US et fil fi fr de el gu ha he hi hu id ga it ja kn kk rw_RW ko ky_KG lo lv lt mk ms ml mr nb fa pl pt_BR pt_PT pa ro ru sr sk sl es es_AR es_ES es_MX sw sv ta te th tr uk ur uz vi zu'.split(
    ' ',
  )

export function LanguageField({ state, isFixed }: { state: DraftState; isFixed: boolean }) {
  return (
    <Autocomplete
      label={texts.templates.language}
      description={texts.templates.editor.languageHint}
      required
      disabled={isFixed}
      value={state.draft.language}
      onChange={language => state.change({ language })}
      data={codes}
      limit={20}
      {...fieldOf(state, '/language')}
    />
  )
}
