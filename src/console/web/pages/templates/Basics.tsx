import { Stack, TextInput } from '@mantine/core'
import { templateCategories } from '../../../../forms/templates.ts'
import { kindOf, ofCategory, ofKind } from '../../../../templates/authoring/parts.ts'
import { Choice } from '../../components/Choice.tsx'
import { Facts } from '../../components/Facts.tsx'
import { choicesOf, hintBelow, labelled } from '../../components/fields.ts'
import { Section } from '../../components/Section.tsx'
import { tile, two } from '../../components/tile.ts'
import { templates as templateWords } from '../../texts/en/templates.ts'
import { language } from '../../texts/texts.ts'
import { type DraftState, fieldOf } from './draftState.ts'
import { languageName } from './languageNames.ts'

const words = templateWords.editor

/** Codes that the upstream takes. */
const codes = [
  'af sq ar az bn bg ca zh_CN zh_HK zh_TW hr cs da nl en en_GB en_US et fil fi fr de el gu ha he hi hu id ga it',
  'ja kn kk rw_RW ko ky_KG lo lv lt mk ms ml mr nb fa pl pt_BR pt_PT pa ro ru sr sk sl es es_AR es_ES es_MX sw sv',
  'ta te th tr uk ur uz vi zu',
].flatMap(codesOfLine => codesOfLine.split(' '))

const languages = codes
  .map(value => ({ value, label: `${languageName(value)} (${value})` }))
  .toSorted((one, other) => one.label.localeCompare(other.label, language))

/** The parts of a draft that an edit cannot change. */
export interface Fixed {
  readonly isCategoryFixed: boolean
}

export function Basics({ state, fixed }: { state: DraftState; fixed: Fixed | null }) {
  const { draft, change } = state
  return (
    <Section title={words.basics}>
      <Stack gap="sm">
        {fixed ? (
          <Facts
            facts={[
              [words.name, draft.name],
              [templateWords.language, `${languageName(draft.language)} (${draft.language})`],
              [templateWords.category, fixed.isCategoryFixed ? templateWords.categories[draft.category] : null],
            ]}
          />
        ) : (
          <div className="tiles" style={tile(two)}>
            <TextInput
              {...labelled(words, 'name')}
              required
              autoComplete="off"
              value={draft.name}
              onChange={event => change({ name: event.currentTarget.value.toLowerCase().replaceAll(/[\s-]/g, '_') })}
              {...fieldOf(state, '/name')}
            />
            <Choice
              label={templateWords.language}
              required
              value={draft.language}
              onChange={language => change({ language })}
              // A copy may have a code that is not among them.
              data={codes.includes(draft.language) ? languages : [draft.language, ...languages]}
              {...fieldOf(state, '/language')}
            />
          </div>
        )}
        <div className="tiles" style={tile(two)}>
          {!fixed?.isCategoryFixed && (
            <Choice
              inputWrapperOrder={hintBelow}
              label={templateWords.category}
              description={templateWords.categoryHints[draft.category]}
              value={draft.category}
              onChange={value =>
                change(ofCategory(draft, templateCategories.find(known => known === value) ?? 'UTILITY'))
              }
              data={templateCategories.map(value => ({ value, label: templateWords.categories[value] }))}
            />
          )}
          <Choice
            inputWrapperOrder={hintBelow}
            label={words.kind}
            description={draft.category === 'MARKETING' ? words.kindHint : words.kindMarketing}
            value={kindOf(draft)}
            onChange={value => change(ofKind(draft, value))}
            data={choicesOf(words.kinds).map(choice => ({
              ...choice,
              disabled: draft.category !== 'MARKETING' && choice.value !== kindOf(draft),
            }))}
          />
        </div>
      </Stack>
    </Section>
  )
}
