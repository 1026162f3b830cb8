"""How strong the suite is: what its vectors cover, and which faults they would catch."""
