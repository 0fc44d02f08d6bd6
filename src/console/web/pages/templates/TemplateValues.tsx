import { Anchor, CloseButton, Stack, TextInput, type TextInputProps, VisuallyHidden } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { useState } from 'react'
import type { Issue } from '../../../../base/errors.ts'
import type { SendValues } from '../../../../templates/authoring/values.ts'
import { toFailure } from '../../api/failure.ts'
import { uploadFile } from '../../api/files.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ChooseFile } from '../../components/ChooseFile.tsx'
import { hintBelow } from '../../components/fields.ts'
import { Hint } from '../../components/Hint.tsx'
import { Warning } from '../../components/Warning.tsx'
import { templates as words } from '../../texts/en/templates.ts'
import { capital } from '../../texts/texts.ts'
import { ProblemList, useProblems } from '../messages/Problems.tsx'
import { PhonePreview } from './PhonePreview.tsx'
import type { TemplateDetail } from './queries.ts'
import { gap, type ValueField, type ValuePart, valueFieldsOf } from './valueFields.ts'

interface Props {
  readonly detail: TemplateDetail
  readonly values: SendValues
  readonly onChange: (values: SendValues) => void
}

/** Where problems point to the values of each part; those of addresses name no field of a form. */
const roots: Readonly<Record<ValuePart, string>> = {
  variables: '/templateVariables',
  body: '/bodyParameters',
  addresses: '/carousel',
}
const isOf = ({ part, key }: ValueField, { path }: Issue) => path === `${roots[part]}/${key}`

/** The values of a template beside what its reader will see; below each other on a telephone. */
export function TemplateValues(
  props: Props & {
    /** What would be sent, to be checked before; null: that is not known yet. */
    message: Parameters<typeof useProblems>[0]
    /** What is known to be wrong of the values that it begins with. */
    wrong?: readonly Issue[]
  },
) {
  const { detail, values, onChange, message, wrong = [] } = props
  const [begun] = useState(values)
  const found = useProblems(message)
  const fields = valueFieldsOf(detail)
  const isSame = ({ part, key }: ValueField) => values[part][key] === begun[part][key]
  const issues = [...found, ...wrong.filter(issue => fields.some(field => isOf(field, issue) && isSame(field)))]
  return (
    <div className="template-sides" data-dialog>
      <Stack gap="sm">
        <ValueFields {...{ detail, values, onChange, issues }} hint={null} />
        <ProblemList problems={found.filter(issue => !fields.some(field => isOf(field, issue)))} />
      </Stack>
      <section className="template-aside" aria-label={words.preview}>
        <PhonePreview draft={detail.template.draft} values={values} template={detail.template} />
      </section>
    </div>
  )
}

/** A field for each value that a send gives. */
export function ValueFields(
  props: Props & {
    /** What they are for; null: nothing need be said. */
    hint?: string | null
    issues?: readonly Issue[]
    /** Some of them. */
    fields?: readonly ValueField[]
  },
) {
  const { detail, values, onChange, hint = words.variablesHint, issues = [] } = props
  const { unsupported } = detail
  const [others, setOthers] = useState<readonly string[]>([])
  if (unsupported.length > 0) {
    return <Warning title={words.unsupported}>{words.unsupportedHint(capital(unsupported.join(', ')))}</Warning>
  }
  const fields = props.fields ?? valueFieldsOf(detail)
  if (fields.length === 0) return <Hint>{words.noVariables}</Hint>
  return (
    <Stack gap="sm">
      {hint !== null && <Hint>{hint}</Hint>}
      {fields.map(field => {
        const { part, key, hint, example, isRequired, file } = field
        const name = `${part} ${key}`
        const value = values[part][key] ?? ''
        const error = capital(issues.find(issue => isOf(field, issue))?.message ?? '')
        const isOther = part === 'body'
        const isShown = others.includes(name)
        const show = () => isShown || setOthers([...others, name])
        if (isOther && !isShown && value === '' && error === '')
          return (
            <Anchor key={name} component="button" type="button" fz="xs" ta="start" onClick={show}>
              {words.anotherValue}
            </Anchor>
          )
        const set = (changed: Readonly<Record<string, string>>) =>
          onChange({ ...values, [part]: { ...values[part], ...changed } })
        const common: TextInputProps = {
          label: <ValueName field={field} value={value} />,
          description: hint,
          inputWrapperOrder: hintBelow,
          required: isRequired,
          placeholder: file ? 'https://…' : example ? words.forExample(example) : isRequired ? '' : words.optional,
          value,
          error,
          onChange(event) {
            // Who empties it writes another one.
            if (isOther) show()
            set({ [key]: event.currentTarget.value })
          },
        }
        return file ? (
          <FileValue
            key={name}
            {...common}
            accept={file.accept}
            kept={values.variables[file.key] ?? ''}
            onKept={id => set({ [key]: '', [file.key]: id })}
          />
        ) : (
          <TextInput key={name} {...common} autoFocus={isOther && isShown} />
        )
      })}
    </Stack>
  )
}

/** The words around a value, with what stands between them; of one that has none, what it is called. */
export function ValueName({ field: { place, key, label, example }, value }: { field: ValueField; value: string }) {
  if (place === null) return <bdi>{label}</bdi>
  const [before, after] = place.split(gap)
  return (
    <>
      {/* Words may stand around nothing yet: heard alone, they name no field. */}
      <VisuallyHidden>{label}: </VisuallyHidden>
      <bdi className="value-place">
        {before}
        <mark className="phone-variable">{value || example || key}</mark>
        {after}
      </bdi>
    </>
  )
}

/** The address of a file, or one that is chosen here. @param props.kept the id of one that is known already */
function FileValue(props: TextInputProps & { accept: string; kept: string; onKept: (id: string) => void }) {
  const { accept, kept, onKept, error, ...field } = props
  const { id: workspaceId } = useWorkspace()
  const upload = useMutation({
    mutationFn: (file: File) => uploadFile(workspaceId, file),
    onSuccess: ({ id }) => onKept(id),
  })
  const isKept = kept !== ''
  const remove = <CloseButton size="sm" aria-label={words.removeFile} onClick={() => onKept('')} />
  const failure = upload.error && toFailure(upload.error)
  return (
    <Stack gap={6} align="flex-start">
      <TextInput
        {...field}
        w="100%"
        error={failure ? (failure.issues[0]?.message ?? failure.message) : error}
        {...(isKept && { value: upload.variables?.name ?? words.keptFile, readOnly: true, rightSection: remove })}
      />
      <ChooseFile
        label={words.editor.chooseFile}
        accept={accept}
        isBusy={upload.isPending}
        onChoose={file => upload.mutate(file)}
      />
    </Stack>
  )
}
