use std::ffi::OsString;
use std::fs;
use std::os::unix::fs::{PermissionsExt, symlink};
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::script::{Runs, runs};
use super::{Interpreter, LocateError, LocateRequest, locate};

/// A folder to build installs in. Its Pythons are binaries by their first bytes, and are never started.
struct Ground(TempDir);

impl Ground {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn file(&self, name: &str, text: &str) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        path
    }

    fn program(&self, name: &str, text: &str) -> PathBuf {
        let path = self.file(name, text);
        fs::set_permissions(&path, fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    fn python(&self, name: &str) -> PathBuf {
        self.program(name, "\u{7f}ELF")
    }

    fn link(&self, name: &str, to: &Path) -> PathBuf {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        symlink(to, &path).unwrap();
        path
    }

    /// A virtual environment with Hermes in it: its Python and its console script.
    fn venv(&self, name: &str) -> (PathBuf, PathBuf) {
        let base = self.path("base/python3.11");
        if !base.exists() {
            self.python("base/python3.11");
        }
        let python = self.link(&format!("{name}/bin/python"), &base);
        let site = format!("{name}/lib/python3.11/site-packages");
        self.file(&format!("{site}/hermes_cli/__init__.py"), "__version__ = '1'\n");
        self.file(&format!("{site}/hermes_agent-0.22.2.dist-info/RECORD"), "one\n");
        let launcher = self.program(&format!("{name}/bin/hermes"), &console_script(&python));
        (python, launcher)
    }

    fn search(&self, folders: &[&str]) -> Result<Interpreter, LocateError> {
        locate(&LocateRequest { path_env: Some(self.path_env(folders)), ..LocateRequest::default() })
    }

    fn path_env(&self, folders: &[&str]) -> OsString {
        std::env::join_paths(folders.iter().map(|folder| self.path(folder))).unwrap()
    }

    fn flag(&self, path: &Path) -> Result<Interpreter, LocateError> {
        locate(&LocateRequest { hermes_flag: Some(path.to_owned()), ..LocateRequest::default() })
    }
}

fn console_script(python: &Path) -> String {
    format!("#!{}\nimport sys\nfrom hermes_cli.main import main\nsys.exit(main())\n", python.display())
}

fn why(result: Result<Interpreter, LocateError>) -> String {
    result.unwrap_err().to_string()
}

#[test]
fn a_console_script_names_its_python_and_links_in_the_environment_are_kept() {
    let ground = Ground::new();
    let (python, launcher) = ground.venv("venv");
    let found = ground.search(&["empty", "venv/bin"]).unwrap();
    assert_eq!((found.python, found.launcher), (python, Some(launcher)));
}

#[test]
fn links_to_the_launcher_are_followed() {
    let ground = Ground::new();
    // As `uv tool install` and pipx lay it out.
    let (python, launcher) = ground.venv("share/uv/tools/hermes-agent");
    let link = ground.link("local/bin/hermes", &launcher);
    let found = ground.search(&["local/bin"]).unwrap();
    assert_eq!((found.python, found.launcher), (python, Some(link)));
}

#[test]
fn the_installers_shell_script_leads_to_the_console_script() {
    let ground = Ground::new();
    let (python, launcher) = ground.venv("hermes-agent/venv");
    let shim = format!(
        "#!/usr/bin/env bash\n# exec nothing\nunset PYTHONPATH\nunset PYTHONHOME\nexec \"{}\" \"$@\"\n",
        launcher.display()
    );
    let shim = ground.program("local/bin/hermes", &shim);
    let found = ground.search(&["local/bin"]).unwrap();
    assert_eq!((found.python, found.launcher), (python, Some(shim)));
}

#[test]
fn scripts_that_are_shell_and_python_at_once_are_read() {
    let ground = Ground::new();
    let (python, launcher) = ground.venv("a folder/venv");
    let long = format!("#!/bin/sh\n'''exec' \"{}\" \"$0\" \"$@\"\n' '''\nimport sys\n", python.display());
    fs::write(&launcher, long).unwrap();
    assert_eq!(ground.search(&["a folder/venv/bin"]).unwrap().python, python);

    // uv's relocatable environments: relative to where the script really is, not to the link on PATH.
    let text =
        "#!/bin/sh\n'''exec' \"$(dirname -- \"$(realpath -- \"$0\")\")\"/'python' \"$0\" \"$@\"\n' '''\nimport sys\n";
    fs::write(&launcher, text).unwrap();
    ground.link("local/bin/hermes", &launcher);
    let found = ground.search(&["local/bin"]).unwrap();
    assert_eq!(found.python, python.parent().unwrap().canonicalize().unwrap().join("python"));
}

#[test]
fn shebangs_through_env_are_looked_up_on_path() {
    let ground = Ground::new();
    let python = ground.python("bin/python3");
    for shebang in [
        "/usr/bin/env python3",
        "/usr/bin/env -S python3 -I",
        "/usr/bin/env -S -u PYTHONPATH A=b python3",
        "/bin/env -i python3",
    ] {
        ground.program("bin/hermes", &format!("#!{shebang}\nimport hermes_cli\n"));
        assert_eq!(ground.search(&["bin"]).unwrap().python, python, "{shebang}");
    }
    ground.program("bin/hermes", "#!/usr/bin/env python3.99\n");
    assert!(why(ground.search(&["bin"])).contains("`python3.99`, which is not on PATH"));
}

#[test]
fn what_shell_lines_start() {
    let table = [
        ("exec '/a/hermes' \"$@\"", Runs::File("/a/hermes".into())),
        ("exec /a\\ b/hermes \"$@\"", Runs::File("/a b/hermes".into())),
        ("    exec env A=1 /a/bin/python -m hermes_cli.main \"$@\" # why", Runs::File("/a/bin/python".into())),
        (
            "exec -a \"$0\" \"/nix/store/x/bin/.hermes-wrapped\" \"$@\"",
            Runs::File("/nix/store/x/bin/.hermes-wrapped".into()),
        ),
        ("exec \"${0%/*}/python3\" \"$0\" \"$@\"", Runs::Beside("python3".into())),
        (
            "exec \"$(cd \"$(dirname \"$0\")\" && pwd)/../venv/bin/hermes\" \"$@\"",
            Runs::Beside("../venv/bin/hermes".into()),
        ),
        ("exec python3 -m hermes_cli.main \"$@\"", Runs::Command("python3".into())),
        (
            "exec \"/home/u/.pyenv/libexec/pyenv\" exec \"$program\" \"$@\"",
            Runs::PyenvShim { root: "/home/u/.pyenv".into() },
        ),
    ];
    for (line, expected) in table {
        assert_eq!(runs(&format!("#!/bin/bash\nset -e\n{line}\n")), expected, "{line}");
    }
    for line in ["exec \"$HOME/x/hermes\" \"$@\"", "exec docker run hermes", "hermes_home=/x", "exec"] {
        assert!(matches!(runs(&format!("#!/bin/sh\n{line}\n")), Runs::Unknown(_)), "{line}");
    }
    assert!(matches!(runs("#!/usr/bin/node\n"), Runs::Unknown(_)));
    assert!(matches!(runs("#!\n"), Runs::Unknown(_)));
}

#[test]
fn the_flag_takes_a_launcher_a_python_a_name_or_an_environment() {
    let ground = Ground::new();
    let (python, launcher) = ground.venv("venv");
    assert_eq!(ground.flag(&launcher).unwrap().launcher, Some(launcher.clone()));
    let by_python = ground.flag(&python).unwrap();
    assert_eq!((by_python.python.clone(), by_python.launcher), (python.clone(), None));
    assert_eq!(ground.flag(&ground.path("venv")).unwrap().python, python);
    let named = LocateRequest {
        hermes_flag: Some("hermes".into()),
        python_env: Some("/nowhere/python".into()),
        path_env: Some(ground.path_env(&["venv/bin"])),
    };
    assert_eq!(locate(&named).unwrap().launcher, Some(launcher.clone()));
    // The flag counts before the variable, the variable before PATH.
    let other = ground.python("other/python3");
    let variable = LocateRequest { hermes_flag: None, python_env: Some(other.clone()), ..named };
    assert_eq!(locate(&variable).unwrap().python, other);
}

#[test]
fn a_stranger_called_hermes_does_not_hide_the_agent() {
    let ground = Ground::new();
    ground.program("js/hermes", "\u{7f}ELF another program");
    ground.file("plain/hermes", "#!/usr/bin/python3\n");
    let (python, _) = ground.venv("venv");
    assert_eq!(ground.search(&["js", "plain", "venv/bin"]).unwrap().python, python);
    assert!(why(ground.search(&["js"])).contains("neither a Python nor a script that starts one"));
    // Files that cannot be run are passed over, as a shell does.
    assert_eq!(ground.search(&["plain"]), Err(LocateError::NotInstalled));
}

#[test]
fn a_moved_environment_is_found_by_its_python_beside_the_script() {
    let ground = Ground::new();
    let (_, launcher) = ground.venv("venv");
    fs::write(&launcher, console_script(Path::new("/gone/venv/bin/python"))).unwrap();
    assert_eq!(
        ground.search(&["venv/bin"]).unwrap().python,
        ground.path("venv/bin/python").parent().unwrap().canonicalize().unwrap().join("python")
    );
    fs::remove_file(ground.path("venv/bin/python")).unwrap();
    assert!(why(ground.search(&["venv/bin"])).contains("/gone/venv/bin/python, which does not exist"));
}

#[test]
fn dead_ends_say_where_and_what_to_do() {
    let ground = Ground::new();
    let gone = why(ground.flag(&ground.path("gone")));
    assert!(gone.contains("gone: No such file") && gone.contains("point --hermes at"), "{gone}");
    ground.link("dangling/hermes", &ground.path("nowhere"));
    assert!(why(ground.flag(&ground.path("dangling/hermes"))).contains("leads nowhere"));
    fs::create_dir(ground.path("folder")).unwrap();
    assert!(why(ground.flag(&ground.path("folder"))).contains("folder without bin/python"));
    let text = ground.file("text", "#!/usr/bin/python3\n");
    assert!(why(ground.flag(&text)).contains("not executable"));
    let circle = ground.path("circle/hermes");
    ground.program("circle/hermes", &format!("#!/bin/sh\nexec \"{}\" \"$@\"\n", circle.display()));
    assert!(why(ground.flag(&circle)).contains("more than 8 scripts"));
    assert_eq!(locate(&LocateRequest::default()), Err(LocateError::NotInstalled));
    assert_eq!(ground.search(&["empty"]), Err(LocateError::NotInstalled));
}

#[test]
fn a_pyenv_shim_is_followed_where_there_is_no_choice() {
    let ground = Ground::new();
    let root = ground.path("pyenv");
    let text = format!(
        "#!/usr/bin/env bash\nset -e\nprogram=\"${{0##*/}}\"\nexec \"{}/libexec/pyenv\" exec \"$program\" \"$@\"\n",
        root.display()
    );
    let shim = ground.program("pyenv/shims/hermes", &text);
    assert!(why(ground.flag(&shim)).contains("no version has that program"));
    let (python, _) = ground.venv("pyenv/versions/3.11.7");
    ground.link("pyenv/versions/3.11", &ground.path("pyenv/versions/3.11.7"));
    assert_eq!(ground.flag(&shim).unwrap().python, python);
    ground.venv("pyenv/versions/3.12.1");
    assert!(why(ground.flag(&shim)).contains("several versions"));
}

#[test]
fn relative_path_entries_do_not_decide_what_is_run() {
    let request = LocateRequest { path_env: Some(":.:bin".into()), ..LocateRequest::default() };
    assert_eq!(locate(&request), Err(LocateError::NotInstalled));
}

#[test]
fn the_stamp_follows_the_install_and_nothing_else() {
    let ground = Ground::new();
    let (python, launcher) = ground.venv("checkout/venv");
    let site = "checkout/venv/lib/python3.11/site-packages";
    let stamp = || ground.flag(&launcher).unwrap().stamp;
    let mut seen = vec![stamp()];
    assert_eq!(stamp(), seen[0], "the same install, the same stamp");
    ground.file("checkout/notes.txt", "unrelated");
    assert_eq!(stamp(), seen[0], "files of no install do not count");

    ground.file(&format!("{site}/hermes_cli/__init__.py"), "__version__ = '1.0.1'\n");
    seen.push(stamp());
    ground.file(&format!("{site}/hermes_agent-0.22.2.dist-info/RECORD"), "one\ntwo\n");
    seen.push(stamp());
    ground.file(&format!("{site}/mcp/__init__.py"), "");
    seen.push(stamp());
    ground.file("checkout/.git/logs/HEAD", "pulled\n");
    seen.push(stamp());
    ground.file("elsewhere/hermes_cli/__init__.py", "__version__ = '2'\n");
    ground.file(&format!("{site}/__editable__.hermes.pth"), &format!("{}\n", ground.path("elsewhere").display()));
    seen.push(stamp());
    ground.file("elsewhere/hermes_cli/__init__.py", "__version__ = '2.1'\n");
    seen.push(stamp());
    fs::remove_file(&python).unwrap();
    ground.python("base/python3.12");
    ground.link("checkout/venv/bin/python", &ground.path("base/python3.12"));
    seen.push(stamp());
    let count = seen.len();
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), count, "every change shows");
}
