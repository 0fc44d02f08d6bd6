import { Anchor, Stack, TextInput } from '@mantine/core'
import { useMutation } from '@tanstack/react-query'
import { Link } from 'wouter'
import { headerCharsMax } from '../../../../base/upstreamLimits.ts'
import { type HeaderDraft, isMedia, type MediaKind } from '../../../../templates/authoring/draft.ts'
import { variablesIn } from '../../../../templates/authoring/texts.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ChooseFile } from '../../components/ChooseFile.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Warning } from '../../components/Warning.tsx'
import { templates as templateWords } from '../../texts/en/templates.ts'
import { type Editing, fieldOf, textsOf } from './draftState.ts'
import { uploadExample } from './queries.ts'
import { CharCounter } from './TextFields.tsx'
import { acceptedTypes } from './valueFields.ts'

const words = templateWords.editor

/** Where example files are uploaded to. */
export interface UploadTarget {
  readonly phoneNumberId: string
  readonly channelId: string
  /** The channel has its app id. */
  readonly canUpload: boolean
}

/** What the header of a message or a card holds; its kind is chosen elsewhere. */
export function HeaderFields(props: Editing<HeaderDraft> & { target: UploadTarget }) {
  const { part: header, target } = props
  const { id } = useWorkspace()
  if (header.kind === 'text') {
    const text = textsOf({ ...props, part: header })
    const [variable] = variablesIn(header.text)
    return (
      <Stack gap="sm">
        <TextInput
          label={words.headerText}
          required
          rightSection={<CharCounter text={header.text} max={headerCharsMax} />}
          rightSectionWidth={64}
          {...text('text')}
        />
        {variable !== undefined && <TextInput label={words.exampleFor(variable)} required {...text('example')} />}
      </Stack>
    )
  }
  if (!isMedia(header)) return null
  if (!target.canUpload) {
    return (
      <Warning title={words.noApp}>
        <Anchor component={Link} href={`/w/${id}/channels/${target.channelId}#secrets`} size="sm">
          {words.setApp}
        </Anchor>
      </Warning>
    )
  }
  return <ExampleFile {...props} part={header} />
}

function ExampleFile(props: Editing<Extract<HeaderDraft, { kind: MediaKind }>> & { target: UploadTarget }) {
  const { state, part: header, path, target, onChange } = props
  const { id } = useWorkspace()
  const upload = useMutation({
    mutationFn: (file: File) => uploadExample(id, target.phoneNumberId, header.kind, file),
    onSuccess: (handle, file) => onChange({ kind: header.kind, handle, fileName: file.name }),
  })
  return (
    <Stack gap={6} align="flex-start">
      <TextInput
        label={words.file}
        description={words.fileHints[header.kind]}
        w="100%"
        required
        readOnly
        value={header.handle === '' ? '' : header.fileName}
        placeholder={header.fileName}
        {...fieldOf(state, `${path}/handle`)}
      />
      <ChooseFile
        label={words.chooseFile}
        accept={acceptedTypes[header.kind]}
        isBusy={upload.isPending}
        onChoose={file => upload.mutate(file)}
      />
      {upload.error && <ErrorView error={upload.error} />}
    </Stack>
  )
}
