//! Layouts of records. The numbers are gcc's, read from objects that it made for both ABIs.

use super::check_units;
use raddle_c::types::DataModel;

/// Size, alignment, and of each member its offset and its first bit and width if it is a bit-field.
fn layout(members: &str, model: DataModel) -> String {
    let text = format!(
        "typedef int aligned16 __attribute__((aligned(16))); typedef long long half __attribute__((aligned(2))); {members};"
    );
    let (hir, _) = check_units(&[&text], model).expect("valid");
    let layout = hir.types.records.iter().find(|r| r.tag.is_some()).and_then(|r| r.layout.as_ref()).expect("complete");
    let fields: Vec<String> = layout
        .fields
        .iter()
        .filter(|f| f.name.is_some())
        .map(|f| match f.bits {
            Some(b) => format!("{}:{}:{}", f.offset, b.shift, b.width),
            None => f.offset.to_string(),
        })
        .collect();
    format!("{}/{} {}", layout.size, layout.align, fields.join(" "))
}

fn same(members: &str, lp64: &str, ilp32: &str) {
    assert_eq!(layout(members, DataModel::Lp64), lp64, "{members}");
    assert_eq!(layout(members, DataModel::Ilp32), ilp32, "{members}");
}

#[test]
fn plain_members() {
    same("struct s { char a; short b; int c; long d; }", "16/8 0 2 4 8", "12/4 0 2 4 8");
    same("struct s { char a; double b; }", "16/8 0 8", "12/4 0 4");
    same("struct s { char a; long double b; char c; }", "48/16 0 16 32", "20/4 0 4 16");
    same("struct s { char a[3]; int b[2]; char *c; }", "24/8 0 4 16", "16/4 0 4 12");
    same("struct s { }", "0/1 ", "0/1 ");
    same("union s { char a[5]; int b; }", "8/4 0 0", "8/4 0 0");
    same("struct s { int n; double a[]; }", "8/8 0 8", "4/4 0 4");
}

#[test]
fn bit_fields() {
    same("struct s { int a : 3; int b : 30; }", "8/4 0:0:3 4:0:30", "8/4 0:0:3 4:0:30");
    same("struct s { char a; int b : 20; char c; }", "8/4 0 1:0:20 4", "8/4 0 1:0:20 4");
    same("struct s { int a : 3; int : 0; int b : 2; }", "8/4 0:0:3 4:0:2", "8/4 0:0:3 4:0:2");
    same("struct s { int a : 3; char : 0; int b : 2; }", "4/4 0:0:3 1:0:2", "4/4 0:0:3 1:0:2");
    same("struct s { int a : 3; long long : 40; char b; }", "8/4 0:0:3 6", "8/4 0:0:3 6");
    same("struct s { long long a : 40; int b : 25; }", "16/8 0:0:40 8:0:25", "12/4 0:0:40 8:0:25");
    same("struct s { _Bool a : 1; _Bool b : 1; short c : 9; }", "2/2 0:0:1 0:1:1 0:2:9", "2/2 0:0:1 0:1:1 0:2:9");
    same("struct s { char a; long long b : 33; }", "8/8 0 1:0:33", "8/4 0 1:0:33");
    same("union s { int a : 3; char b; }", "4/4 0:0:3 0", "4/4 0:0:3 0");
    same("struct s { char a; int : 5; }", "2/1 0", "2/1 0");
}

#[test]
fn packed_and_aligned() {
    same("struct s { char a; int b; short c; } __attribute__((packed))", "7/1 0 1 5", "7/1 0 1 5");
    same("struct s { char a; int b __attribute__((packed)); short c; }", "8/2 0 1 6", "8/2 0 1 6");
    same("struct s { int a : 3; int b : 30; } __attribute__((packed))", "5/1 0:0:3 0:3:30", "5/1 0:0:3 0:3:30");
    same(
        "struct s { char a; int b : 20; char : 0; int c : 5; } __attribute__((packed))",
        "5/1 0 1:0:20 4:0:5",
        "5/1 0 1:0:20 4:0:5",
    );
    same("struct s { char a; } __attribute__((aligned(8)))", "8/8 0", "8/8 0");
    same("struct s { char a; char b __attribute__((aligned(4))); }", "8/4 0 4", "8/4 0 4");
    same("struct s { char a; long long b __attribute__((aligned(8))); }", "16/8 0 8", "16/8 0 8");
    same("struct s { char a; double b __attribute__((aligned(2))); }", "16/8 0 8", "12/4 0 4");
    same("struct s { char a; int b; } __attribute__((packed, aligned(2)))", "6/2 0 1", "6/2 0 1");
    same("struct s { char a; aligned16 b; }", "32/16 0 16", "32/16 0 16");
    same("struct s { char a; half b; }", "10/2 0 2", "10/2 0 2");
    same("struct s { char a; half b : 32; }", "6/2 0 1:0:32", "6/2 0 1:0:32");
    same("struct s { char a; _Alignas(16) char b; }", "32/16 0 16", "32/16 0 16");
    same("struct s { char a; aligned16 b : 10; }", "32/16 0 16:0:10", "32/16 0 16:0:10");
}

#[test]
fn nested() {
    same("struct s { char a; struct { char b; int c; } d; }", "12/4 0 4", "12/4 0 4");
    same("struct s { char a; union { double b; int c; } d; short e; }", "24/8 0 8 16", "16/4 0 4 12");
    same(
        "struct s { char a; struct { char b; long long c; } __attribute__((packed)) d; int e; }",
        "16/4 0 1 12",
        "16/4 0 1 12",
    );
    same("struct s { char a; _Atomic int b; _Atomic char c; }", "12/4 0 4 8", "12/4 0 4 8");
}
