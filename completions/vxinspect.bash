# Completion of vxinspect for bash. tests/check-pages holds the options to what --help prints.

_vxinspect()
{
    local cur prev word
    cur=${COMP_WORDS[COMP_CWORD]}
    prev=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()

    # bash splits words at '=' where it is in COMP_WORDBREAKS.
    if [[ $cur == '=' ]]; then
        cur=
    elif [[ $prev == '=' ]] && ((COMP_CWORD > 2)); then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
        case $prev in
        --chunks | --blades | --bricks | --probes)
            return ;;
        esac
    fi

    case $prev in
    --raw)
        COMPREPLY=($(compgen -W 'header section lod string chunk blade level dfd sample key brick plane' -- "$cur"))
        return ;;
    --as)
        COMPREPLY=($(compgen -W 'grass-1 grass-2 grass-3 ktx2 probes-1' -- "$cur"))
        return ;;
    --format)
        COMPREPLY=($(compgen -W 'text json json-lines csv' -- "$cur"))
        return ;;
    --chunk | --at | --max-memory)
        return ;;
    esac

    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W '--header --sections --lods --strings --chunks --blades --chunk --levels --keys --samples
            --bricks --planes --probes --hashes --raw --at --as --format --max-memory --version --quiet --verbose --no-progress --help' -- "$cur"))
        return
    fi
    # File names, one a line, so that spaces in them do no harm.
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do
        COMPREPLY+=("$word")
    done < <(compgen -f -- "$cur")
}

complete -F _vxinspect vxinspect
