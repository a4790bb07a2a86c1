# Completion of vxbake for bash. tests/check-pages holds the options to what --help prints.

_vxbake()
{
    local cur prev command options common word i
    cur=${COMP_WORDS[COMP_CWORD]}
    prev=${COMP_WORDS[COMP_CWORD - 1]}
    COMPREPLY=()
    common='--quiet --verbose --no-progress --help'

    if ((COMP_CWORD == 1)); then
        COMPREPLY=($(compgen -W 'bake inspect verify transcode diff explain simulate devices help version --help --version' -- "$cur"))
        return
    fi
    command=${COMP_WORDS[1]}

    # bash splits words at '=' where it is in COMP_WORDBREAKS.
    if [[ $cur == '=' ]]; then
        cur=
    elif [[ $prev == '=' ]] && ((COMP_CWORD > 2)); then
        prev=${COMP_WORDS[COMP_CWORD - 2]}
    fi

    case $command:$prev in
    simulate:--format)
        COMPREPLY=($(compgen -W 'text json json-lines csv' -- "$cur"))
        return ;;
    *:--format)
        COMPREPLY=($(compgen -W 'text json json-lines' -- "$cur"))
        return ;;
    bake:--preview-as)
        COMPREPLY=($(compgen -W 'species reason density' -- "$cur"))
        return ;;
    inspect:--preview-as)
        COMPREPLY=($(compgen -W 'species density' -- "$cur"))
        return ;;
    transcode:--to)
        COMPREPLY=($(compgen -W '1 2 3 runtime ply csv ktx2 slices' -- "$cur"))
        return ;;
    bake:--compress | transcode:--compress)
        COMPREPLY=($(compgen -W 'none 1 3 9 19' -- "$cur"))
        return ;;
    bake:--device)
        COMPREPLY=($(compgen -W 'cpu opencl auto' -- "$cur"))
        return ;;
    bake:--report | diff:--report | explain:--report | simulate:--report | transcode:--report)
        compopt -o nospace
        COMPREPLY=($(compgen -W 'json=' -- "$cur"))
        return ;;
    verify:--report)
        compopt -o nospace
        COMPREPLY=($(compgen -W 'json= junit=' -- "$cur"))
        return ;;
    verify:--level)
        COMPREPLY=($(compgen -W 'header hash full' -- "$cur"))
        return ;;
    verify:--severity | verify:-W)
        compopt -o nospace 2>/dev/null
        COMPREPLY=($(compgen -S = -W "$(vxbake verify --list-findings 2>/dev/null | awk '{print $3}')" -- "$cur"))
        return ;;
    verify:--explain)
        COMPREPLY=($(compgen -W "$(vxbake verify --list-findings 2>/dev/null | cut -d ' ' -f 1)" -- "$cur"))
        return ;;
    bake:--cross-check | diff:--max-chunks | transcode:--species | transcode:--origin)
        return ;;
    explain:--at | explain:--radius | explain:--species | explain:--limit)
        return ;;
    *:--threads | *:--max-memory | *:--set | bake:--region | inspect:--chunk | inspect:--preview-size | verify:--max-findings | verify:--max-invalid | bake:--max-dropped)
        return ;;
    simulate:--range | simulate:--capacity | simulate:--hysteresis | simulate:--density | simulate:--max-*)
        return ;;
    esac

    case $command in
    bake)
        options='--output --if-changed --compress --split --preview --preview-as --depfile --report --format --set
            --region --dry-run --max-dropped --device --cross-check --inexact --threads --max-memory' ;;
    inspect)
        options='--chunks --bricks --statistics --chunk --blades --preview --preview-as --preview-size --format --threads --max-memory' ;;
    verify)
        options='--level --severity --recipe --rebake --report-of --format --report --warnings-as-errors
            --max-findings --max-invalid --list-findings --explain --threads --max-memory' ;;
    devices)
        options='--format' ;;
    transcode)
        options='--output --to --compress --split --lossy --species --origin --recipe --stomp
            --force --format --report --threads --max-memory' ;;
    diff)
        options='--format --report --max-chunks --max-memory' ;;
    explain)
        options='--at --radius --species --limit --set --format --report --threads --max-memory' ;;
    simulate)
        options='--path --range --capacity --hysteresis --density --max-refused --max-upload --max-commands --plot --map
            --format --report --max-memory' ;;
    help)
        options=
        if [[ $cur != -* ]]; then
            COMPREPLY=($(compgen -W 'bake inspect verify transcode diff explain simulate devices help version' -- "$cur"))
            return
        fi ;;
    version)
        options= ;;
    *)
        return ;;
    esac

    if [[ $cur == -* ]]; then
        COMPREPLY=($(compgen -W "$options $common" -- "$cur"))
        return
    fi
    # File names, one a line, so that spaces in them do no harm.
    compopt -o filenames 2>/dev/null
    while IFS= read -r word; do
        COMPREPLY+=("$word")
    done < <(compgen -f -- "$cur")
}

complete -F _vxbake vxbake
