import { Button, Text, VisuallyHidden } from '@mantine/core'
import { useInViewport } from '@mantine/hooks'
import { IconDownload } from '@tabler/icons-react'
import { useMutation, useQuery } from '@tanstack/react-query'
import { type ReactNode, useEffect, useState } from 'react'
import { fetchFile, save } from '../../api/files.ts'
import { useWorkspace } from '../../app/session.tsx'
import { ErrorView } from '../../components/ErrorView.tsx'
import { Hint } from '../../components/Hint.tsx'
import { byteSize } from '../../components/numbers.ts'
import { texts } from '../../texts/texts.ts'
import type { Said } from './queries.ts'

const words = texts.conversations
type File = Said['files'][number]

/**
 * A file of either side: shown where the gateway says that it is safe, else only saved.
 * @param props.isBare what is shown is not to be saved, too
 */
export function SentFile({ file, type, isBare = false }: { file: File; type: Said['type']; isBare?: boolean }) {
  const { id, state, saveAs, shownAs, bytes } = file
  const isNamed = type === 'document' || type === 'form'
  const label = isNamed ? words.saveFile(saveAs) : words.saveKind(words.types[type])
  // What its name ends with is known better than the kind of any document.
  const kind = /\.(\w{1,5})$/.exec(saveAs)?.[1]?.toUpperCase()
  const path = `/api/v1/workspaces/${useWorkspace().id}/media/${id}`
  const saving = useMutation({ mutationFn: () => save(path, saveAs) })
  if (state !== 'stored') return <Hint>{words.media[state]}</Hint>
  return (
    <>
      {shownAs && <Shown path={path} file={file} shownAs={shownAs} label={words.types[type]} />}
      {!(isBare && shownAs) && (
        <Button
          {...{ size: 'xs', variant: 'subtle', maw: '100%', h: 'auto', className: 'file-name', title: label }}
          leftSection={<IconDownload size={16} />}
          onClick={() => saving.mutate()}
          loading={saving.isPending}
        >
          {isNamed ? <bdi>{saveAs}</bdi> : <VisuallyHidden>{label}</VisuallyHidden>}
          <Text span size="xs" c="dimmed" fw={400}>
            {[isNamed && kind, bytes !== null && byteSize(bytes)].filter(Boolean).join(' · ') || label}
          </Text>
        </Button>
      )}
      {saving.error && <ErrorView error={saving.error} />}
    </>
  )
}

/**
 * It is fetched once it can be seen; a video, which may be large, once somebody asks for it.
 * @param props.instead what stands there while it is not shown, also when it cannot be
 */
export function Shown(props: {
  path: string
  file: Pick<File, 'id' | 'mimeType'>
  shownAs: NonNullable<File['shownAs']>
  label: string
  instead?: ReactNode
}) {
  const { path, file, shownAs, label, instead } = props
  const { ref, inViewport } = useInViewport()
  const [isAsked, setAsked] = useState(shownAs !== 'video')
  const [url, setUrl] = useState<string | null>(null)
  const [isUnknown, setUnknown] = useState(false)
  const { data, error, refetch } = useQuery({
    queryKey: ['file', file.id],
    queryFn: ({ signal }) => fetchFile(path, file.mimeType ?? '', signal),
    enabled: isAsked && (inViewport || url !== null),
    // It never changes; fetched again when its reader comes back, what plays would begin anew.
    staleTime: 'static',
    gcTime: 0,
  })
  useEffect(() => {
    if (!data) return
    const address = URL.createObjectURL(data)
    setUrl(address)
    return () => URL.revokeObjectURL(address)
  }, [data])
  const shown = { src: url ?? '', 'aria-label': label, onError: () => setUnknown(true) }
  return (
    <div ref={ref} className="sent-file" data-shown-as={shownAs}>
      {(url === null || isUnknown) && instead}
      {error && !instead && <ErrorView error={error} onRetry={() => void refetch()} />}
      {!isAsked && (
        <Button size="xs" variant="light" onClick={() => setAsked(true)}>
          {words.play}
        </Button>
      )}
      {isUnknown && !instead && <Hint>{words.unshown}</Hint>}
      {url !== null && !isUnknown && (
        <>
          {shownAs === 'image' && <img {...shown} alt={label} />}
          {shownAs === 'audio' && <audio {...shown} controls />}
          {shownAs === 'video' && <video {...shown} controls autoPlay />}
        </>
      )}
    </div>
  )
}
