import subprocess
import sys

NO_TORCH = "import sys; sys.modules['torch'] = None; "


def run(code):
    return subprocess.run(
        [sys.executable, "-c", NO_TORCH + code], capture_output=True, text=True, check=False
    )


def test_without_torch_one_sentence_says_what_to_install():
    ran = run("import runpy; runpy.run_module('earsim_training.ppo', run_name='__main__')")
    assert ran.returncode == 1
    assert ran.stderr == (
        "error: torch is not installed; run: pip install 'earsim[train]' (6.4 GB with CUDA; "
        "for processors first: pip install torch --index-url https://download.pytorch.org/whl/cpu)\n"
    )


def test_without_torch_an_import_says_so_too():
    ran = run("import earsim_training.ppo")
    assert "MissingExtra: torch is not installed" in ran.stderr


def test_observations_are_read_without_torch():
    assert run("import earsim_training.graphs.env_slots").returncode == 0
